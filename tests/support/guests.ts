import { bookInputFor } from './booking.ts';
import type { Kysely } from 'kysely';
import { book } from '#/features/appointments/booking/commands.ts';
import { acceptInvitation } from '#/features/attendees/answers/commands.ts';
import type { AcceptInput, GuestView } from '#/features/attendees/contract.ts';
import { invite } from '#/features/attendees/invitations/commands.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx, Database } from '#/platform/context.ts';
import type { TestDatabase } from './database.ts';
import { addClient, addProvider, type Person } from './people.ts';

export interface Couple {
  client: Person;
  provider: Person;
  appointmentId: string;
}

/** Books a couples session, by default for new people on Monday at 10 AM New York time. */
export async function bookCouple(
  { db, as }: { db: Kysely<Database>; as(person: Person): Ctx },
  {
    client,
    provider,
    startsAt = '2026-03-09T14:00:00Z',
    serviceId = 'couples',
    sessionType = 'online',
  }: {
    client?: Person;
    provider?: Person;
    startsAt?: string;
    serviceId?: string;
    sessionType?: SessionType;
  } = {},
): Promise<Couple> {
  const parties = {
    client: client ?? (await addClient(db)),
    provider: provider ?? (await addProvider(db, { services: ['couples', 'families', 'individuals'] })),
  };
  const { appointments } = await book(
    as(parties.client),
    bookInputFor(parties.provider.id, serviceId, startsAt, {
      sessionType,
      sessions: 2,
      contact: { name: 'Ruth Amsel', email: 'ruth@people.example' },
      timeZone: 'America/New_York',
    }),
  );
  return { ...parties, appointmentId: appointments[0]!.id };
}

export async function invited(
  { as, runJobs, readMails }: Pick<TestDatabase, 'as' | 'runJobs' | 'readMails'>,
  { client, appointmentId }: Couple,
  email = `${newId()}@guests.example`,
): Promise<GuestView & { token: string }> {
  const list = await invite(as(client), { appointmentId, name: 'Naomi', email, agreed: true });
  await runJobs();
  const guest = list.guests.find((one) => one.email === email)!;
  return { ...guest, token: await mailedToken({ readMails }, email) };
}

export function acceptance(token: string, startsAt = '2026-03-09T14:00:00Z'): AcceptInput {
  return { token, startsAt, name: 'Naomi W.', agreed: true };
}

export async function withGuest(
  database: Pick<TestDatabase, 'db' | 'as' | 'runJobs' | 'readMails'>,
  couple?: Couple,
): Promise<Couple & { guest: Person; guestId: string; token: string }> {
  const session = couple ?? (await bookCouple(database));
  const { id, token } = await invited(database, session);
  const guest = await addClient(database.db);
  await acceptInvitation(database.as(guest), acceptance(token));
  await database.runJobs();
  return { ...session, guest, guestId: id, token };
}

export async function mailedToken(
  { readMails }: Pick<TestDatabase, 'readMails'>,
  email: string,
): Promise<string> {
  const mails = await readMails((rows) => rows.where('recipient', '=', email));
  return /\/invitation#([\w-]+)/.exec(mails.at(-1)!.text_body)![1]!;
}
