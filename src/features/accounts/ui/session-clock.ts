import { isInCall, onActivity } from '#/web/activity.ts';
import { noteSessionEnd } from '#/web/session-end.ts';
import { sendWithToken } from '#/web/session-token.ts';
import type { OwnSession } from '../contract.ts';

/** Milliseconds; the server records use once a minute. */
const noteMs = 60_000;
/** Retry delay in milliseconds after a failed request. */
const againMs = 10_000;

export interface Ending {
  /** In page time (`performance.now()`). */
  endsAt: number;
  extendable: boolean;
}

export interface SessionClock {
  extend(): Promise<void>;
  stop(): void;
}

/**
 * Tracks session expiry across all tabs; `ending` receives null after further use. Page activity and calls extend the
 * session.
 */
export function followSession(on: {
  ending: (ending: Ending | null) => void;
  ended: () => void;
  /** The last known end has passed, and the server can't be reached. */
  lost: () => void;
}): SessionClock {
  const tabs = new BroadcastChannel('session');
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

  function take(session: OwnSession | null | undefined): void {
    if (stopped) return;
    clearTimeout(timer);
    if (session === undefined) {
      if (Date.now() >= knownEnd && !isInCall()) on.lost();
      timer = setTimeout(() => void look(), againMs);
      return;
    }
    if (session === null) {
      warn(null);
      on.ended();
      return;
    }
    const { secondsLeft, warningSeconds, extendable } = session;
    knownEnd = Date.now() + secondsLeft * 1000;
    const calm = secondsLeft - warningSeconds;
    warn(calm > 0 ? null : { endsAt: performance.now() + secondsLeft * 1000, extendable });
    // Another tab may have extended the session.
    timer = setTimeout(() => void look(), Math.max(1, calm > 0 ? calm : secondsLeft + 1) * 1000);
  }

  async function look(): Promise<void> {
    take(await fetchSession(true));
  }

  async function extend(): Promise<void> {
    notedAt = performance.now();
    take(await fetchSession(false));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of our own origin, not a window
    tabs.postMessage('used');
  }

  function use(): void {
    if (!warned && performance.now() - notedAt > noteMs) void extend();
  }

  function seen(): void {
    if (document.visibilityState === 'visible') void look();
  }

  const untouch = onActivity(use);
  const calling = setInterval(() => {
    if (isInCall()) void extend();
  }, noteMs);
  tabs.addEventListener('message', () => void look());
  document.addEventListener('visibilitychange', seen);
  void look();
  return {
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
