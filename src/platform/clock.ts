import { randomFillSync } from 'node:crypto';
import { uuidV7 } from '#/kernel/ids.ts';

/** Reads the system clock. All other server code receives the time as an argument. */
export function systemNow(): Temporal.Instant {
  return Temporal.Now.instant();
}

const drawn = new Uint8Array(4_000);
let used = drawn.length;

/** Returns a new time-ordered ID. PostgreSQL before 18 lacks `uuidv7()`. */
export function newId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += 10;
  return uuidV7(Date.now(), drawn.subarray(used - 10, used));
}
