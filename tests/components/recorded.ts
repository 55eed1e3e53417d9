import admin from './recorded/admin.json';
import client from './recorded/client.json';
import doctor from './recorded/doctor.json';
import guest from './recorded/guest.json';

const recordings = { guest, client, doctor, admin };

/** Whose page it is: a guest's, or the demo account's of that name. */
export type Who = keyof typeof recordings;

/**
 * What the demo answered this person when it was recorded (`npm run record`), by procedure. Their account has the
 * browser's time zone: a page notes it with one that has none, at a time of its own, when a test may be over.
 */
export function recordedFor<R extends Who>(who: R): (typeof recordings)[R]['answers'] {
  const { answers } = structuredClone(recordings[who]);
  const me: { timeZone: string | null } | null = answers['accounts.me'];
  if (me) me.timeZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return answers;
}

/** When that was; the clock of the tests stands there. */
export function recordedAt(who: Who): Date {
  return new Date(recordings[who].recordedAt);
}
