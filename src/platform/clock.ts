import { randomFillSync } from 'node:crypto';
import { uuidV7 } from '#/kernel/ids.ts';

/** Reads the system clock. All other server code receives the time as an argument. */
export function systemNow(): Temporal.Instant {
  return Temporal.Now.instant();
}

const drawn = new Uint8Array(4_000);
let used = drawn.length;

/** The latest ID's millisecond, and its number there. */
let [latest, count] = [0, 0];

/** Returns a new ID, above all earlier ones of this process. PostgreSQL before 18 lacks `uuidv7()`. */
export function newId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const random = drawn.subarray(used, (used += 10));
  const now = Date.now();
  if (now > latest) [latest, count] = [now, 0];
  else if (++count > 0xfff) [latest, count] = [latest + 1, 0];
  // A counter instead of the first random bits (RFC 9562, section 6.2, method 1).
  random[0] = count >> 8;
  random[1] = count & 0xff;
  return uuidV7(latest, random);
}
