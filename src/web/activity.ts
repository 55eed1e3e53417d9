const idleMs = 60_000;

const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

let touchedAt = performance.now();
let calls = 0;
const listeners = new Set<() => void>();

function recordActivity(): void {
  touchedAt = performance.now();
  for (const listener of listeners) listener();
}

if (typeof window !== 'undefined')
  for (const touch of touches)
    window.addEventListener(touch, recordActivity, { capture: true, passive: true });

/**
 * Returns true after a minute without input, unless in a call. Requests are then automatic and don't extend the
 * session.
 */
export function isIdle(): boolean {
  return calls === 0 && performance.now() - touchedAt > idleMs;
}

export function isInCall(): boolean {
  return calls > 0;
}

/** Counts as activity for the duration of a call. Returns a release function. */
export function countCall(): () => void {
  calls++;
  return () => void calls--;
}

export function onActivity(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
