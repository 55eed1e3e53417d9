import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createAccount } from '#/features/accounts/commands.ts';
import { accountOf, usersPage } from '#/features/accounts/users/queries.ts';
import { findNames } from '#/features/accounts/names/queries.ts';
import { bookFor } from '#/features/appointments/on-behalf/commands.ts';
import { cancel, reschedule } from '#/features/appointments/life-cycle/commands.ts';
import { clientsOf, clientView } from '#/features/care/clients/queries.ts';
import { writeNote } from '#/features/care/notes/commands.ts';
import { selfOf } from '#/features/access/rules.ts';
import { newId } from '#/platform/clock.ts';
import { addressDigest } from '#/platform/tokens.ts';
import { queueDueReminders } from '#/features/appointments/reminders/commands.ts';
import { calling, claimLink, invitedByMail } from '../../../../tests/support/callers.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addAdministrator, addProvider, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { requireServed } from './policies.ts';
import { bookNew, changeRecord, inviteClient } from './commands.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z', poolSize: 4 });
const { db, as, setNow, runJobs } = database;

const recordOf = (clientId: string) =>
  db.selectFrom('client_records').selectAll().where('person_id', '=', clientId).executeTakeFirst();
const mailsTo = (email: string) => database.readMails((rows) => rows.where('recipient', '=', email));
const viewOf = async (provider: Person, clientId: string) =>
  clientView(as(provider), await requireServed(as(provider), clientId));

describe('booking for a caller', () => {
  test('reserves time in both diaries and makes the person a client', async () => {
    const provider = await addProvider(db, { approvesFirst: true });
    const input = await calling(db, { client: { phone: '+1 617 555 0100' } });
    const { clientId, bookingId, appointments } = await bookNew(as(provider), input);
    expect(appointments).toMatchObject([
      {
        status: 'confirmed',
        kind: 'consultation',
        client: {
          id: clientId,
          name: 'Naomi Weiss',
          email: input.client.email,
          phone: '+1 617 555 0100',
          takesMessages: false,
        },
      },
    ]);
    const held = await db
      .selectFrom('participants')
      .select('person_id')
      .where('appointment_id', '=', appointments[0]!.id)
      .where('held', '=', true)
      .execute();
    expect(new Set(held.map(({ person_id }) => person_id))).toEqual(new Set([clientId, provider.id]));
    const entries = await db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id', 'subject_id', 'details'])
      .where('actor_id', '=', provider.id)
      .where('subject_id', 'in', [clientId, bookingId])
      .orderBy('id')
      .execute();
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set(['account_created', 'care.client_entered', 'booking.booked']),
    );
    expect(JSON.stringify(entries)).not.toMatch(/Naomi|callers\.example|555/);
    const { clients } = await clientsOf(as(provider), selfOf(as(provider)), {
      search: 'naomi',
      order: 'next',
      limit: 10,
      offset: 0,
    });
    expect(clients).toMatchObject([{ id: clientId, name: 'Naomi Weiss' }]);
    // New notes and bookings work again.
    await writeNote(as(provider), 'session', { clientId, text: 'Called about her sister.' });
    const { client: _client, ...rest } = input;
    const again = { ...rest, idempotencyKey: newId(), clientId, startsAt: '2026-03-10T14:00:00Z' };
    const next = await bookFor(as(provider), again);
    expect(next.appointments).toMatchObject([{ kind: 'follow-up', client: { email: input.client.email } }]);
  });

  test('creates one record and booking per idempotency key, even concurrently', async () => {
    const provider = await addProvider(db);
    const input = await calling(db);
    const all = await Promise.all([1, 2, 3].map(() => bookNew(as(provider), input)));
    expect(new Set(all.map(({ clientId }) => clientId)).size).toBe(1);
    expect(await bookNew(as(provider), input)).toEqual(all[0]);
    const other = { ...input, client: { ...input.client, name: 'Somebody else' } };
    expect(await refusalOf(bookNew(as(provider), other))).toMatchObject({
      reason: 'idempotency_key_reused',
    });
    const records = await db
      .selectFrom('client_records')
      .select('person_id')
      .where('provider_id', '=', provider.id)
      .execute();
    expect(records).toHaveLength(1);
  });

  test('creates no record if the time is taken, and follows the same rules', async () => {
    const provider = await addProvider(db);
    await bookNew(as(provider), await calling(db));
    const before = await db.selectFrom('users').select('id').execute();
    for (const [change, reason] of [
      [{}, 'slot_taken'],
      [{ startsAt: '2026-03-10T01:20:00Z' }, 'outside_hours'],
      [{ startsAt: '2026-03-10T05:01:00Z', outsideHours: true }, 'unaligned'],
    ] as const) {
      expect(await refusalOf(bookNew(as(provider), await calling(db, change)))).toMatchObject({ reason });
    }
    expect(await db.selectFrom('users').select('id').execute()).toEqual(before);
  });

  test('requires an email or phone number, and a full number for calls', async () => {
    const provider = await addProvider(db);
    const refused = async (change: Parameters<typeof calling>[1]) =>
      (await refusalOf(bookNew(as(provider), await calling(db, change)))).fields;
    expect(await refused({ client: { email: undefined } })).toEqual([
      { field: 'client.email', reason: 'required' },
    ]);
    expect(await refused({ sessionType: 'phone' })).toEqual([{ field: 'client.phone', reason: 'required' }]);
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', provider.id)
      .executeTakeFirstOrThrow();
    expect(await refused({ client: { email: email.toUpperCase() } })).toEqual([
      { field: 'client.email', reason: 'yourself' },
    ]);
  });

  test('notifies only the provider if there is just a phone number', async () => {
    const provider = await addProvider(db);
    const input = await calling(db, {
      sessionType: 'phone',
      client: { email: undefined, phone: '+1 617 555 0100' },
    });
    await runJobs();
    const before = new Set(
      (await db.selectFrom('mails').select('id').orderBy('id').execute()).map(({ id }) => id),
    );
    const { clientId, appointments } = await bookNew(as(provider), input);
    await runJobs();
    const mails = await db.selectFrom('mails').select(['id', 'recipient']).orderBy('id').execute();
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', provider.id)
      .executeTakeFirstOrThrow();
    const sent = mails.filter(({ id }) => !before.has(id));
    expect(new Set(sent.map(({ recipient }) => recipient))).toEqual(new Set([email]));
    expect(appointments[0]).toMatchObject({ calledAt: '+1 617 555 0100', client: { email: null } });
    expect((await viewOf(provider, clientId)).record).toEqual({
      email: null,
      phone: '+1 617 555 0100',
      sentAt: null,
      declined: false,
    });
    expect(await refusalOf(inviteClient(as(provider), clientId))).toMatchObject({ reason: 'no_email' });
  });
});

describe('the invitation', () => {
  test('is sent with priority, without names, service or the provider’s text', async () => {
    const provider = await addProvider(db);
    const email = 'words@callers.example';
    const input = await calling(db, { client: { name: 'Naomi Visit-evil.example now', email } });
    await bookNew(as(provider), input);
    await runJobs();
    const mails = (await mailsTo(email)).filter(({ key }) => key.startsWith('caller:'));
    expect(mails).toMatchObject([
      { urgent: true, subject: 'iTalk Health session booked for you: Mon, Mar 9, 10:00 AM EDT' },
    ]);
    const all = `${mails[0]!.subject}\n${mails[0]!.text_body}\n${mails[0]!.html_body}`;
    expect(all).toContain('Naomi');
    expect(all).not.toMatch(/evil|Psychologist|hour of care|Person /i);
    const token = await claimLink(database, email);
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(r)::text as row from client_claims r
        union all select to_jsonb(a)::text from audit_entries a
        union all select j.data::text from jobs.job j`.execute(db);
    expect(rows.filter(({ row }) => row.includes(token))).toEqual([]);
  });

  test('answers the provider the same whether or not the address has an account', async () => {
    const taken = 'taken@callers.example';
    const holder = await createAccount(as({ kind: 'system' }), {
      email: taken,
      name: 'Judith',
      role: 'client',
      emailVerified: true,
    });
    await db
      .updateTable('profiles')
      .set({ suspended_at: new Date('2026-03-01T00:00:00Z') })
      .where('id', '=', holder)
      .execute();
    const seen = [];
    for (const email of [taken, 'nobodys@callers.example']) {
      const provider = await addProvider(db);
      const input = await calling(db, { client: { email } });
      const { clientId, appointments } = await bookNew(as(provider), input);
      await runJobs();
      const [mail] = await mailsTo(email);
      const { id: _id, bookingId: _booking, provider: _provider, ...session } = appointments[0]!;
      const client = { ...session.client, id: '', email: '' };
      const { record } = await viewOf(provider, clientId);
      seen.push({ ...session, client, record: { ...record, email: '' }, subject: mail!.subject });
      expect(clientId).not.toBe(holder);
    }
    expect(seen[0]).toEqual(seen[1]);
  });

  test('can be resent after ten minutes, up to three times, and earlier links keep working', async () => {
    const provider = await addProvider(db);
    const input = await calling(db);
    const { clientId } = await bookNew(as(provider), input);
    expect(await refusalOf(inviteClient(as(provider), clientId))).toMatchObject({ reason: 'just_sent' });
    setNow('2026-03-02T12:11:00Z');
    await inviteClient(as(provider), clientId);
    setNow('2026-03-02T12:22:00Z');
    await inviteClient(as(provider), clientId);
    setNow('2026-03-02T12:33:00Z');
    expect(await refusalOf(inviteClient(as(provider), clientId))).toMatchObject({ reason: 'too_many_sends' });
    setNow('2026-03-02T12:00:00Z');
    await runJobs();
    const claims = await db
      .selectFrom('client_claims')
      .select('token_hash')
      .where('person_id', '=', clientId)
      .execute();
    expect(claims.length).toBeGreaterThan(0);
  });

  test('is limited per day, for each provider and address', async () => {
    const [provider, other] = [await addProvider(db), await addProvider(db)];
    const book = async (by: Person, index: number, email?: string) =>
      bookNew(
        as(by),
        await calling(db, {
          startsAt: new Date(Date.UTC(2026, 3, 1 + index, 15)).toISOString(),
          outsideHours: true,
          ...(email ? { client: { email } } : {}),
        }),
      );
    for (let index = 0; index < 5; index++) await book(other, index, 'often@callers.example');
    expect(await refusalOf(book(provider, 0, 'often@callers.example'))).toMatchObject({
      code: 'rate_limited',
      reason: 'too_many_invitations',
    });
    for (let index = 0; index < 20; index++) await book(provider, index);
    expect(await refusalOf(book(provider, 21))).toMatchObject({ reason: 'too_many_invitations' });
    setNow('2026-03-03T12:01:00Z');
    await book(provider, 22);
    setNow('2026-03-02T12:00:00Z');
  });

  test('is followed by session emails, each with its own link', { tags: ['long'] }, async () => {
    const provider = await addProvider(db);
    const input = await calling(db);
    const { clientId, appointmentId } = await invitedByMail(database, provider, input);
    await reschedule(as(provider), appointmentId, '2026-03-11T14:00:00Z');
    await runJobs();
    setNow('2026-03-11T13:00:00Z');
    await queueDueReminders(as({ kind: 'job', name: 'reminders' }));
    await runJobs();
    setNow('2026-03-02T12:00:00Z');
    await cancel(as(provider), appointmentId);
    await runJobs();
    const { client: _client, ...rest } = input;
    await bookFor(as(provider), {
      ...rest,
      idempotencyKey: newId(),
      clientId,
      startsAt: '2026-03-12T14:00:00Z',
    });
    await runJobs();
    const mails = await mailsTo(input.client.email!);
    for (const what of ['booked for you', 'rescheduled', 'Reminder', 'canceled', 'session booked:']) {
      expect(mails.filter(({ subject }) => subject.includes(what)).length, what).toBeGreaterThan(0);
    }
    const links = mails.map(({ text_body }) => /#([\w-]{40,})/.exec(text_body)?.[1]);
    expect(new Set(links).size).toBe(mails.length);
  });

  test(
    'is followed by at most twenty emails a day, however often sessions move',
    { tags: ['long'] },
    async () => {
      const provider = await addProvider(db);
      const input = await calling(db);
      const email = input.client.email!;
      const { appointmentId } = await invitedByMail(database, provider, input);
      const moveTo = async (startsAt: string) => {
        await reschedule(as(provider), appointmentId, startsAt);
        await runJobs();
        return (await mailsTo(email)).length;
      };
      const first = await moveTo('2026-03-11T14:00:00Z');
      await db
        .updateTable('rate_limits')
        .set({ hits: 20 })
        .where('key', '=', `callers:${addressDigest(email)}`)
        .execute();
      expect(await moveTo('2026-03-11T15:00:00Z')).toBe(first);
      setNow('2026-03-03T12:01:00Z');
      expect(await moveTo('2026-03-11T16:00:00Z')).toBe(first + 1);
      setNow('2026-03-02T12:00:00Z');
    },
  );
});

describe('a record', () => {
  test('is corrected in its sessions too, and a new address ends earlier links', async () => {
    const provider = await addProvider(db);
    const { clientId } = await invitedByMail(database, provider, await calling(db));
    const change = {
      clientId,
      name: 'Naomi Stone',
      email: 'Right@Callers.example',
      phone: '+1 617 555 0199',
    };
    expect(await changeRecord(as(provider), change)).toEqual({
      email: 'right@callers.example',
      phone: '+1 617 555 0199',
      sentAt: null,
      declined: false,
    });
    expect(
      await db.selectFrom('client_claims').selectAll().where('person_id', '=', clientId).execute(),
    ).toEqual([]);
    expect(await viewOf(provider, clientId)).toMatchObject({
      name: 'Naomi Stone',
      contact: { email: 'right@callers.example', phone: '+1 617 555 0199' },
    });
    expect(await inviteClient(as(provider), clientId)).toMatchObject({ sentAt: '2026-03-02T12:00:00Z' });
    await changeRecord(as(provider), { clientId, name: 'Naomi Stone' });
    await runJobs();
    expect(await mailsTo('right@callers.example')).toEqual([]);
    expect(await viewOf(provider, clientId)).toMatchObject({
      name: 'Naomi Stone',
      contact: { email: null, phone: null },
      record: { email: null, phone: null },
    });
  });

  test('returns not_found for another provider’s record or a client with an account', async () => {
    const [provider, other] = [await addProvider(db), await addProvider(db)];
    const { clientId } = await bookNew(as(provider), await calling(db));
    const change = { clientId, name: 'Mine now' };
    for (const id of [clientId, newId(), provider.id]) {
      expect(await refusalOf(changeRecord(as(other), { ...change, clientId: id }))).toMatchObject({
        code: 'not_found',
        reason: 'client',
      });
      expect(await refusalOf(inviteClient(as(other), id))).toMatchObject({ code: 'not_found' });
    }
    expect((await recordOf(clientId))!.email).not.toBeNull();
  });

  test('stays out of the site’s directories', async () => {
    const provider = await addProvider(db);
    const admin = as(await addAdministrator(db));
    const input = await calling(db, { client: { name: 'Keturah Unlisted' } });
    const { clientId } = await bookNew(as(provider), input);
    const { users } = await usersPage(
      admin,
      { search: 'Keturah' },
      { order: 'name', descending: false, beyond: undefined, limit: 10 },
    );
    expect(users).toEqual([]);
    expect(await findNames(admin, { search: 'Keturah' })).toEqual([]);
    expect(await refusalOf(accountOf(admin, clientId))).toMatchObject({ code: 'not_found' });
  });
});
