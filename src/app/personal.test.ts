import { globSync } from 'node:fs';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createAccount, setPassword } from '#/features/accounts/commands.ts';
import {
  askForDueDeletions,
  eraseAccount,
  cancelDeletion,
  requestDeletion,
} from '#/features/accounts/deletion/commands.ts';
import { accountsPersonal } from '#/features/accounts/personal.ts';
import { changePhoto, updateProfile } from '#/features/accounts/profile/commands.ts';
import { personOf } from '#/features/accounts/queries.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import type { BookInput } from '#/features/appointments/booking/contract.ts';
import { bookNew } from '#/features/care/clients/commands.ts';
import { writeEntry } from '#/features/growth/journal/commands.ts';
import { transact } from '#/platform/db/transact.ts';
import { calling } from '../../tests/support/callers.ts';
import { testDatabase } from '../../tests/support/database.ts';
import { addClient, addProvider, sixtyMinutes, type Person } from '../../tests/support/people.ts';
import { unlocked } from '../../tests/support/words.ts';
import { refusalOf } from '../../tests/support/refusal.ts';
import { hashOf } from '../../tests/support/passwords.ts';
import { personalReactions } from './personal.ts';
import { tidy } from './tidy.ts';

const { db, as, setNow, runJobs, folder, readMails } = await testDatabase();
const noon = '2026-03-02T12:00:00Z';
const end = '2026-03-16T12:00:00Z';
const password = 'peace-be-with-you';
const adminEmails: string[] = [];
const system = () => as({ kind: 'system' });
const job = () => as({ kind: 'job', name: 'personal.erase' });

async function erase(userId: string): Promise<void> {
  const reaction = personalReactions.find(({ name }) => name === 'personal.erase')!;
  await reaction.handle(job(), { userId }, { id: 'alarm', requestId: 'test' });
}

async function withPassword(person: Person): Promise<Person> {
  await transact(system(), async (tx) => setPassword(tx, person.id, await hashOf(password)));
  const expires_at = new Date(Date.parse('2027-01-01T00:00:00Z'));
  const session = { user_id: person.id, expires_at, ip_address: null, user_agent: null };
  for (const id of [person.sessionId, system().newId()]) {
    await db
      .insertInto('sessions')
      .values({ ...session, id, token: id })
      .execute();
  }
  return person;
}

const sessionsOf = (person: Person) =>
  db.selectFrom('sessions').select('id').where('user_id', '=', person.id).execute();
const erasuresOf = (person: Person) =>
  db
    .selectFrom('audit_entries')
    .select('id')
    .where('subject_id', '=', person.id)
    .where('action', '=', 'account_erased')
    .orderBy('id')
    .execute();
const sessionWith = (provider: Person, serviceId: string): BookInput => ({
  idempotencyKey: system().newId(),
  providerId: provider.id,
  serviceId,
  startsAt: '2026-03-30T14:00:00Z',
  durationMinutes: 60,
  recurrence: 'one_time',
  sessions: 1,
  sessionType: 'phone',
  reminderMinutes: 60,
  contact: { name: 'Ruth Amsel', email: 'ruth@people.example', phone: '+1 555 010 0177' },
  timeZone: 'America/Chicago',
});
const reasonOf = async (attempt: Promise<unknown>) => {
  const { code, reason } = await refusalOf(attempt);
  return [code, reason];
};
const mailsTo = (person: Person) =>
  readMails((rows) => rows.where('recipient', '=', `${person.id}@people.example`));

test('rejects a wrong password without changes', async () => {
  setNow(noon);
  const person = await withPassword(await addClient(db));
  expect(await reasonOf(requestDeletion(as(person), adminEmails, { password: 'not-this' }))).toEqual([
    'invalid',
    'wrong_password',
  ]);
  expect((await personOf(as(person), person.id)).deleteAfter).toBeNull();
  expect(await sessionsOf(person)).toHaveLength(2);
});

test('sets the deletion date, signs out other devices and emails it; a repeat keeps the date', async () => {
  setNow(noon);
  const person = await withPassword(await addClient(db));
  expect(await requestDeletion(as(person), adminEmails, { password })).toEqual({
    deleteAfter: '2026-03-16T12:00:00.000Z',
  });
  expect(await sessionsOf(person)).toEqual([{ id: person.sessionId }]);
  expect((await personOf(as(person), person.id)).deleteAfter).toBe('2026-03-16T12:00:00.000Z');
  await runJobs();
  expect((await mailsTo(person)).map(({ subject }) => subject)).toEqual([
    'Your iTalk Health account will be deleted on March 16, 2026',
  ]);
  setNow('2026-03-05T12:00:00Z');
  expect((await requestDeletion(as(person), adminEmails, { password })).deleteAfter).toBe(
    '2026-03-16T12:00:00.000Z',
  );
  await runJobs();
  expect(await mailsTo(person)).toHaveLength(1);
});

test('keeps an account restored within the grace period, even if its job still runs', async () => {
  setNow(noon);
  const person = await withPassword(await addClient(db));
  await requestDeletion(as(person), adminEmails, { password });
  setNow('2026-03-16T11:59:59Z');
  expect(await cancelDeletion(as(person))).toEqual({ deleteAfter: null });
  expect(await cancelDeletion(as(person))).toEqual({ deleteAfter: null });
  setNow('2026-03-20T12:00:00Z');
  await runJobs({ all: true });
  await tidy(job());
  await runJobs({ all: true });
  expect(await personOf(as(person), person.id)).toMatchObject({ email: `${person.id}@people.example` });
});

test('erases an expired account once, by its job or the hourly check', async () => {
  setNow(noon);
  const person = await withPassword(await addClient(db));
  await requestDeletion(as(person), adminEmails, { password });
  setNow('2026-03-16T11:59:59Z');
  await erase(person.id);
  expect((await personOf(as(person), person.id)).deleteAfter).not.toBeNull();
  setNow(end);
  expect(await reasonOf(cancelDeletion(as(person)))).toEqual(['precondition', 'deletion_over']);
  // Simulates a lost deletion job.
  await db.deleteFrom('jobs.job' as never).execute();
  await askForDueDeletions(job());
  expect(await runJobs()).toBe(0);
  setNow('2026-03-16T13:00:00Z');
  await askForDueDeletions(job());
  await runJobs();
  expect(await personOf(as(person), person.id)).toMatchObject({
    fullName: 'Deleted account',
    email: `${person.id}@deleted.invalid`,
    emailVerified: false,
    deleteAfter: null,
  });
  expect(await sessionsOf(person)).toEqual([]);
  expect(await erasuresOf(person)).toHaveLength(1);
  await erase(person.id);
  expect(await erasuresOf(person)).toHaveLength(1);
  const again = {
    email: `${person.id}@people.example`,
    name: 'Returning',
    role: 'client',
    emailVerified: false,
  } as const;
  expect(await createAccount(system(), again)).not.toBe(person.id);
});

test('rolls back an interrupted erasure', async () => {
  setNow(noon);
  const person = await withPassword(await addClient(db));
  await requestDeletion(as(person), adminEmails, { password });
  setNow(end);
  const broken = {
    name: 'broken',
    collect: () => Promise.resolve({ tables: {} }),
    erase: () => Promise.reject(new Error('cut')),
  };
  await expect(eraseAccount(job(), person.id, [accountsPersonal, broken])).rejects.toThrow('cut');
  expect((await personOf(as(person), person.id)).email).toBe(`${person.id}@people.example`);
  expect(await sessionsOf(person)).toHaveLength(1);
  await erase(person.id);
  expect((await personOf(as(person), person.id)).email).toContain('@deleted.invalid');
});

test(
  'removes changes made during an erasure two hours later, without further effects',
  { tags: ['long'] },
  async () => {
    setNow(noon);
    const [person, provider] = [await withPassword(await addClient(db)), await addProvider(db)];
    // Resolves the actor before the deletion, like an in-flight request.
    const late = as(person);
    await requestDeletion(late, adminEmails, { password });
    await runJobs();
    setNow(end);
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    const erased = Promise.withResolvers<void>();
    const arriving = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(picture.subarray(0, 40)),
      pull: async (controller) => {
        await erased.promise;
        controller.enqueue(picture.subarray(40));
        controller.close();
      },
    });
    const photo = changePhoto(late, { query: new URLSearchParams(), body: arriving });
    const bytesBefore = globSync(`${folder}/objects/*/*`).length;
    await erase(person.id);
    erased.resolve();
    await photo;
    await writeEntry(await unlocked(late), { title: 'Late', text: 'Words that came too late' });
    await updateProfile(late, { fullName: 'Ruth Amsel' });
    const booked = await book(late, sessionWith(provider, await sixtyMinutes(db)));
    const held = async () => ({
      files: (await db.selectFrom('files').select('id').where('owner_id', '=', person.id).execute()).length,
      bytes: globSync(`${folder}/objects/*/*`).length - bytesBefore,
      entries: (
        await db.selectFrom('journal_entries').select('id').where('person_id', '=', person.id).execute()
      ).length,
      ...(await db
        .selectFrom('profiles')
        .innerJoin('users', 'users.id', 'profiles.id')
        .select(['full_name', 'name', 'photo_id'])
        .where('profiles.id', '=', person.id)
        .executeTakeFirstOrThrow()),
    });
    expect(await held()).toMatchObject({ files: 1, bytes: 1, entries: 1, full_name: 'Ruth Amsel' });
    const alarms = await sql<{ at: Date }>`
    select start_after as at from jobs.job where name = 'personal.erase' and state = 'created'
      and data->'payload'->>'userId' = ${person.id} and start_after > ${end}::timestamptz`.execute(db);
    expect(alarms.rows).toEqual([{ at: new Date('2026-03-16T14:00:00Z') }]);

    setNow('2026-03-16T14:00:00Z');
    await runJobs({ all: true });
    expect(await held()).toEqual({
      files: 0,
      bytes: 0,
      entries: 0,
      full_name: 'Deleted account',
      name: 'Deleted account',
      photo_id: null,
    });
    const { status, contact_name } = await db
      .selectFrom('appointments')
      .select(['status', 'contact_name'])
      .where('id', '=', booked.appointments[0]!.id)
      .executeTakeFirstOrThrow();
    expect([status, contact_name]).toEqual(['cancelled', 'Deleted account']);
    const { erased_at } = await db
      .selectFrom('profiles')
      .select('erased_at')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(erased_at).toEqual(new Date(end));
    expect(await erasuresOf(person)).toHaveLength(1);
    expect(await runJobs({ all: true })).toBe(0);
  },
);

test('erases an account once when two jobs run together', async () => {
  setNow(noon);
  const person = await withPassword(await addClient(db));
  await requestDeletion(as(person), adminEmails, { password });
  await runJobs();
  await db.deleteFrom('jobs.job' as never).execute();
  setNow(end);
  await Promise.all(Array.from({ length: 4 }, () => erase(person.id)));
  expect(await erasuresOf(person)).toHaveLength(1);
  const { rows } = await sql`
    select 1 from jobs.job where name = 'personal.erase' and state = 'created'`.execute(db);
  expect(rows).toHaveLength(1);
  expect((await personOf(as(person), person.id)).email).toBe(`${person.id}@deleted.invalid`);
});

test('leaves a restored account unchanged when its erasure runs again', async () => {
  setNow(noon);
  const person = await withPassword(await addClient(db));
  await requestDeletion(as(person), adminEmails, { password });
  await cancelDeletion(as(person));
  setNow(end);
  await erase(person.id);
  expect(await personOf(as(person), person.id)).toMatchObject({ email: `${person.id}@people.example` });
  expect(await erasuresOf(person)).toEqual([]);
});

test('hides a specialist with pending deletion, and lists them again when they restore the account', async () => {
  setNow(noon);
  const [listed, unlisted] = [
    await withPassword(await addProvider(db)),
    await withPassword(await addProvider(db, { listed: false })),
  ];
  const shown = async () =>
    (
      await db
        .selectFrom('providers')
        .select('id')
        .where('listed', '=', true)
        .where('id', 'in', [listed.id, unlisted.id])
        .execute()
    ).map(({ id }) => id);
  expect(await shown()).toEqual([listed.id]);
  for (const person of [listed, unlisted]) await requestDeletion(as(person), adminEmails, { password });
  await runJobs();
  expect(await shown()).toEqual([]);
  for (const person of [listed, unlisted]) await cancelDeletion(as(person));
  await runJobs();
  expect(await shown()).toEqual([listed.id]);
});

test(
  'keeps the last administrator, even when several delete their accounts at once',
  { tags: ['long'] },
  async () => {
    setNow(noon);
    for (let round = 0; round < 5; round++) {
      await db.updateTable('profiles').set({ role: 'client' }).where('role', '=', 'super_admin').execute();
      const admins: Person[] = [];
      for (let count = 0; count < 4; count++)
        admins.push({ ...(await withPassword(await addClient(db))), role: 'super_admin' });
      const ids = admins.map(({ id }) => id);
      adminEmails.splice(0, Infinity, ...ids.map((id) => `${id}@people.example`));
      await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', 'in', ids).execute();
      const ends = await Promise.allSettled(
        // Alternates the order of both requests.
        (round % 2 ? admins : admins.toReversed()).map((admin) =>
          requestDeletion(as(admin), adminEmails, { password }),
        ),
      );
      expect(ends.map(({ status }) => status).toSorted()).toEqual([
        'fulfilled',
        'fulfilled',
        'fulfilled',
        'rejected',
      ]);
      const staying = await db
        .selectFrom('profiles')
        .select('id')
        .where('role', '=', 'super_admin')
        .where('delete_after', 'is', null)
        .execute();
      expect(staying).toHaveLength(1);
      const last = admins.find(({ id }) => id === staying[0]!.id)!;
      expect(await reasonOf(requestDeletion(as(last), adminEmails, { password }))).toEqual([
        'precondition',
        'last_administrator',
      ]);
    }
  },
);

test('keeps no administrator role for an address that is no longer configured', async () => {
  setNow(noon);
  await db.updateTable('profiles').set({ role: 'client' }).where('role', '=', 'super_admin').execute();
  const last: Person = { ...(await withPassword(await addClient(db))), role: 'super_admin' };
  const former = await addClient(db);
  await db
    .updateTable('profiles')
    .set({ role: 'super_admin' })
    .where('id', 'in', [last.id, former.id])
    .execute();
  const own = [`${last.id}@people.example`];
  const request = (addresses: string[]) => requestDeletion(as(last), addresses, { password });
  expect(await reasonOf(request(own))).toEqual(['precondition', 'last_administrator']);
  expect(await request([...own, `${former.id}@people.example`])).toEqual({
    deleteAfter: end.replace('Z', '.000Z'),
  });
});

test('cancels upcoming sessions and notifies only the other party, without a name', async () => {
  setNow(noon);
  const [client, provider] = [await withPassword(await addClient(db)), await addProvider(db)];
  const booked = await book(as(client), sessionWith(provider, await sixtyMinutes(db)));
  await requestDeletion(as(client), adminEmails, { password });
  await runJobs();
  setNow(end);
  await db.deleteFrom('mails').execute();
  await erase(client.id);
  await runJobs();
  const row = await db
    .selectFrom('appointments')
    .selectAll()
    .where('id', '=', booked.appointments[0]!.id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    status: 'cancelled',
    cancelled_by: client.id,
    contact_name: 'Deleted account',
    contact_email: `${client.id}@deleted.invalid`,
    contact_phone: null,
    price_cents: 10_000,
  });
  expect(row.starts_at.toISOString()).toBe('2026-03-30T14:00:00.000Z');
  const held = await db
    .selectFrom('participants')
    .select('held')
    .where('appointment_id', '=', row.id)
    .execute();
  expect(held).toEqual([{ held: false }, { held: false }]);
  const mails = await readMails();
  expect(mails.map(({ recipient }) => recipient)).toEqual([`${provider.id}@people.example`]);
  expect(JSON.stringify(mails)).not.toMatch(/Ruth|Deleted account|deleted\.invalid/);
});

test('erases clients added by the specialist, and notifies them of cancellations', async () => {
  setNow(noon);
  const provider = await withPassword(await addProvider(db));
  const input = await calling(db, { startsAt: '2026-03-30T14:00:00Z', client: { name: 'Keturah Gone' } });
  const { clientId } = await bookNew(as(provider), input);
  await requestDeletion(as(provider), adminEmails, { password });
  await runJobs();
  setNow(end);
  await db.deleteFrom('mails').execute();
  await erase(provider.id);
  await runJobs();
  const mails = await readMails();
  expect(mails).toMatchObject([
    { recipient: input.client.email, subject: expect.stringContaining('canceled') as string },
  ]);
  expect(mails[0]!.text_body).not.toContain('client-invitation');
  expect(mails[0]!.text_body).toContain('Your specialist is no longer available');
  setNow('2026-03-16T13:01:00Z');
  await erase(clientId);
  await runJobs({ all: true });
  expect((await personOf(as(provider), clientId)).fullName).toBe('Deleted account');
  const left = await db
    .selectFrom('appointments')
    .select(['contact_name', 'contact_email'])
    .where('client_id', '=', clientId)
    .execute();
  expect(left).toEqual([{ contact_name: 'Deleted account', contact_email: `${clientId}@deleted.invalid` }]);
});
