/** Who hasn't touched anything for so long isn't taken to be there, in milliseconds. */
const idleMs = 60_000;

const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

let touchedAt = performance.now();
let calls = 0;
const listeners = new Set<() => void>();

function touched(): void {
  touchedAt = performance.now();
  for (const listener of listeners) listener();
}

if (typeof window !== 'undefined')
  for (const touch of touches) window.addEventListener(touch, touched, { capture: true, passive: true });

/** Whether nobody has touched this page for a while, nor is in a call on it: what it asks by itself is then nobody's doing. */
export function isIdle(): boolean {
  return calls === 0 && performance.now() - touchedAt > idleMs;
}

/** Whether somebody is in a call on this page. */
export function isInCall(): boolean {
  return calls > 0;
}

/** Takes the person to be there, though they touch nothing, until the answer is called. */
export function holdCall(): () => void {
  calls++;
  return () => void calls--;
}

/** Calls `listener` whenever somebody touches the page, until the answer is called. */
export function onTouch(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
