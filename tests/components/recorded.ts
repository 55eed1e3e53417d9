import admin from './recorded/admin.json';
import client from './recorded/client.json';
import doctor from './recorded/doctor.json';
import guest from './recorded/guest.json';

const recordings = { guest, client, doctor, admin };

/** A guest or a demo account by name. */
export type Who = keyof typeof recordings;

/**
 * Demo answers recorded for this person (`npm run record`), by procedure. Sets a time zone: a page without one saves it
 * later, possibly after the test.
 */
export function recordedFor<R extends Who>(who: R): (typeof recordings)[R]['answers'] {
  const { answers } = structuredClone(recordings[who]);
  const me: { timeZone: string | null } | null = answers['accounts.me'];
  if (me) me.timeZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return answers;
}

/** When answers were recorded; also the tests' clock. */
export function recordedAt(who: Who): Date {
  return new Date(recordings[who].recordedAt);
}
