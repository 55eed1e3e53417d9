import { randomFillSync } from 'node:crypto';
import { uuidV7 } from '#/kernel/ids.ts';

/** The one place that reads the machine's clock; everything else is told the time. */
export function systemNow(): Temporal.Instant {
  return Temporal.Now.instant();
}

/** Random bytes are drawn for many ids at once; each is used once. */
const drawn = new Uint8Array(4_000);
let used = drawn.length;

/** A new time-ordered id, made in the server because PostgreSQL has no `uuidv7()` before 18. */
export function newId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += 10;
  return uuidV7(Date.now(), drawn.subarray(used - 10, used));
}
