import { randomBytes } from 'node:crypto';
import { uuidV7 } from '#/kernel/ids.ts';

/** The one place that reads the machine's clock; everything else is told the time. */
export function systemNow(): Temporal.Instant {
  return Temporal.Now.instant();
}

/** A new time-ordered id, made in the server because PostgreSQL has no `uuidv7()` before 18. */
export function newId(): string {
  return uuidV7(Date.now(), randomBytes(10));
}
