import { isInCall, onTouch } from '#/web/activity.ts';
import { noteSessionEnd } from '#/web/session-end.ts';
import type { OwnSession } from '../contract.ts';

/** The server notes the use of a session once a minute at most; in milliseconds. */
const noteMs = 60_000;
/** When a server that gave no answer is asked again, in milliseconds. */
const againMs = 10_000;

/** A session that is about to end. */
export interface Ending {
  /** On the page's own clock (`performance.now()`). */
  endsAt: number;
  /** Whether using it moves its end. */
  extendable: boolean;
}

/** Follows the end of the browser's session. */
export interface SessionClock {
  /** Uses the session, and lets the other tabs know. */
  extend(): Promise<void>;
  stop(): void;
}

/**
 * Follows when the session ends, in all tabs alike: `ending` tells once it is time to warn, and null once it was used
 * since. Whoever writes or reads without asking the server for anything, or is in a call, uses it by that.
 */
export function followSession(on: {
  ending: (ending: Ending | null) => void;
  ended: () => void;
}): SessionClock {
  const tabs = new BroadcastChannel('session');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notedAt = performance.now();
  let warned = false;
  let stopped = false;

  function warn(ending: Ending | null): void {
    warned = ending !== null;
    on.ending(ending);
  }

  function take(session: OwnSession | null | undefined): void {
    if (stopped) return;
    clearTimeout(timer);
    if (session === undefined) {
      timer = setTimeout(() => void look(), againMs);
      return;
    }
    noteSessionEnd(session && session.secondsLeft);
    if (session === null) {
      warn(null);
      on.ended();
      return;
    }
    const { secondsLeft, warningSeconds, extendable } = session;
    const calm = secondsLeft - warningSeconds;
    warn(calm > 0 ? null : { endsAt: performance.now() + secondsLeft * 1000, extendable });
    // Another tab may have used it by then: it is asked before anything is said.
    timer = setTimeout(() => void look(), Math.max(1, calm > 0 ? calm : secondsLeft + 1) * 1000);
  }

  async function look(): Promise<void> {
    take(await ask(true));
  }

  async function extend(): Promise<void> {
    notedAt = performance.now();
    take(await ask(false));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of our own origin, not a window
    tabs.postMessage('used');
  }

  function use(): void {
    if (!warned && performance.now() - notedAt > noteMs) void extend();
  }

  function seen(): void {
    if (document.visibilityState === 'visible') void look();
  }

  const untouch = onTouch(use);
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

/** How long the session lasts; null once it has ended, undefined where the server gives no answer. */
async function ask(idle: boolean): Promise<OwnSession | null | undefined> {
  try {
    const answer = await fetch('/api/me/session', { headers: idle ? { 'x-idle': '1' } : {} });
    return answer.ok ? ((await answer.json()) as OwnSession | null) : undefined;
  } catch {
    return undefined;
  }
}
