import type { Kysely } from 'kysely';
import { requestGuestBooking } from '#/features/guest-booking/commands.ts';
import type { AskInput } from '#/features/guest-booking/contract.ts';
import { newId } from '#/platform/clock.ts';
import type { Database } from '#/platform/context.ts';
import type { TestDatabase } from './database.ts';
import { sixtyMinutes } from './people.ts';

/** A guest's booking request: an hour, by default Monday 10 AM New York time. */
export async function asked(
  db: Kysely<Database>,
  providerId: string,
  change: Partial<AskInput> = {},
): Promise<AskInput> {
  return {
    idempotencyKey: newId(),
    providerId,
    serviceId: await sixtyMinutes(db),
    startsAt: '2026-03-09T14:00:00Z',
    durationMinutes: 60,
    sessionType: 'phone',
    contact: { name: 'Naomi Weiss', email: `${newId()}@guests.example`, phone: '+1 617 555 0100' },
    reminderMinutes: 60,
    timeZone: 'America/Chicago',
    ...change,
  };
}

export async function askedByMail(database: TestDatabase, input: AskInput): Promise<string> {
  await requestGuestBooking(database.as({ kind: 'guest' }), input, 100);
  await database.runJobs();
  return mailedLink(database, input.contact.email);
}

export async function mailedLink(
  { readMails }: Pick<TestDatabase, 'readMails'>,
  email: string,
): Promise<string> {
  const mails = await readMails((rows) =>
    rows.where('recipient', '=', email).where('key', 'like', 'booking-request:%'),
  );
  return /\/booking#([\w-]+)/.exec(mails.at(-1)!.text_body)![1]!;
}
