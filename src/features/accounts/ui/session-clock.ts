import { isIdle, isInCall, onActivity } from '#/web/activity.ts';
import { noteSessionEnd } from '#/web/session-end.ts';
import { sendWithToken } from '#/web/session-token.ts';
import type { OwnSession } from '../contract.ts';
import { emitSessionEvent } from './session-events.ts';

/** The server records use once a minute. */
const noteMs = 60_000;
/** Retry delay in milliseconds after a failed request. */
const againMs = 10_000;
const lookMs = 30_000;
/** Seconds left when a look records use. */
const nearSeconds = 90;
/** Milliseconds that a told tab waits longer. */
const toldMs = 2_000;
/** Milliseconds by which known ends may be off. */
const slackMs = 5_000;

export interface Ending {
  /** In page time (`performance.now()`). */
  endsAt: number;
  extendable: boolean;
}

export interface SessionClock {
  look(): Promise<void>;
  extend(): Promise<void>;
  stop(): void;
}

/**
 * Tracks session expiry across all tabs, from the first `look`; `ending` receives null after further use. Page activity
 * and calls extend the session. Visible tabs look for all of them.
 */
export function followSession(on: {
  ending: (ending: Ending | null) => void;
  /** Early: before its known end. */
  ended: (early: boolean) => void;
  /** The last known end has passed, and the server can't be reached. */
  lost: () => void;
}): SessionClock {
  const tabs = new BroadcastChannel('session-look');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notedAt = performance.now();
  let warned = false;
  let stopped = false;
  /** Epoch milliseconds: they pass while the device sleeps. */
  let knownEnd = Number.POSITIVE_INFINITY;

  function warn(ending: Ending | null): void {
    warned = ending !== null;
    on.ending(ending);
  }

  function take(session: OwnSession | null | undefined, told: boolean): void {
    clearTimeout(timer);
    if (session === undefined) {
      if (Date.now() >= knownEnd && !isInCall()) on.lost();
      timer = setTimeout(tick, againMs);
      return;
    }
    if (session === null) {
      warn(null);
      on.ended(Date.now() < knownEnd - slackMs);
      return;
    }
    const { secondsLeft, warningSeconds, extendable } = session;
    const end = Date.now() + secondsLeft * 1000;
    if (end > knownEnd + slackMs) emitSessionEvent('TOKEN_REFRESHED');
    knownEnd = end;
    const calm = secondsLeft - warningSeconds;
    warn(calm > 0 ? null : { endsAt: performance.now() + secondsLeft * 1000, extendable });
    // A look can still extend it.
    const next = Math.min(calm > 0 ? calm : Infinity, secondsLeft > 1 ? secondsLeft - 1 : 2);
    timer = setTimeout(tick, Math.min(next * 1000, lookMs) + (told ? toldMs : 0));
  }

  function tick(): void {
    const left = knownEnd - Date.now();
    if (isSeen() || left < 0 || left === Infinity) void look();
    else timer = setTimeout(tick, left + 1_000);
  }

  function receive(session: OwnSession | null | undefined, told = false): void {
    if (stopped) return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of our own origin, not a window
    if (!told && session !== undefined) tabs.postMessage(session);
    const near = session?.extendable && session.secondsLeft <= nearSeconds;
    if (near && isSeen() && !isIdle() && performance.now() - notedAt > againMs) void extend();
    else take(session, told);
  }

  async function look(): Promise<void> {
    receive(await fetchSession(true));
  }

  async function extend(): Promise<void> {
    notedAt = performance.now();
    receive(await fetchSession(false));
  }

  function use(): void {
    if (!warned && performance.now() - notedAt > noteMs) void extend();
  }

  function seen(): void {
    if (isSeen()) void look();
  }

  const untouch = onActivity(use);
  const calling = setInterval(() => {
    if (isInCall()) void extend();
  }, noteMs);
  tabs.addEventListener('message', ({ data }) => receive(data as OwnSession | null, true));
  document.addEventListener('visibilitychange', seen);
  return {
    look,
    extend,
    stop() {
      stopped = true;
      untouch();
      clearInterval(calling);
      clearTimeout(timer);
      tabs.close();
      document.removeEventListener('visibilitychange', seen);
    },
  };
}

function isSeen(): boolean {
  return document.visibilityState === 'visible';
}

/** Null if the session has ended, undefined if the request failed. */
export async function fetchSession(idle: boolean): Promise<OwnSession | null | undefined> {
  try {
    const headers: HeadersInit = idle ? { 'x-idle': '1' } : {};
    const answer = await sendWithToken(() => fetch('/api/me/session', { headers }));
    if (!answer.ok) return undefined;
    const session = (await answer.json()) as OwnSession | null;
    noteSessionEnd(session && session.secondsLeft);
    return session;
  } catch {
    return undefined;
  }
}
