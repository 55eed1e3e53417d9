import type { Kysely } from 'kysely';
import { bookNew } from '#/features/care/clients/commands.ts';
import type { BookNewInput } from '#/features/care/clients/contract.ts';
import { newId } from '#/platform/clock.ts';
import type { Database } from '#/platform/context.ts';
import type { TestDatabase } from './database.ts';
import { sixtyMinutes, type Person } from './people.ts';

/** A provider's booking for a caller: an hour, by default Monday 10 AM New York time. */
export async function calling(
  db: Kysely<Database>,
  change: Partial<Omit<BookNewInput, 'client'>> & {
    client?: { [Key in keyof BookNewInput['client']]?: BookNewInput['client'][Key] | undefined };
  } = {},
): Promise<BookNewInput> {
  return {
    idempotencyKey: newId(),
    serviceId: await sixtyMinutes(db),
    startsAt: '2026-03-09T14:00:00Z',
    durationMinutes: 60,
    sessionType: 'online',
    recurrence: 'one_time',
    sessions: 4,
    outsideHours: false,
    ...change,
    client: { name: 'Naomi Weiss', email: `${newId()}@callers.example`, ...change.client },
  };
}

export async function invitedByMail(
  { as, runJobs, readMails }: TestDatabase,
  provider: Person,
  input: BookNewInput,
): Promise<{ clientId: string; appointmentId: string; token: string }> {
  const { clientId, appointments } = await bookNew(as(provider), input);
  await runJobs();
  return {
    clientId,
    appointmentId: appointments[0]!.id,
    token: await claimLink({ readMails }, input.client.email!),
  };
}

export async function claimLink(
  { readMails }: Pick<TestDatabase, 'readMails'>,
  email: string,
): Promise<string> {
  const mails = await readMails((rows) => rows.where('recipient', '=', email.toLowerCase()));
  const links = mails.flatMap(({ text_body }) => /\/client-invitation#([\w-]+)/.exec(text_body)?.[1] ?? []);
  return links.at(-1)!;
}
