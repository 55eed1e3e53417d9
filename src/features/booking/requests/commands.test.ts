import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAccount, makeLinkToken } from '#/features/accounts/commands.ts';
import type { AppError } from '#/kernel/errors.ts';
import type { Role } from '#/kernel/actor.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../../tests/support/identity.ts';
import { addClient, addProvider, addService, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { asked, askedByMail, mailedLink } from '../../../../tests/support/requests.ts';
import { book } from '../commands.ts';
import { cancel, reschedule } from '../life-cycle/commands.ts';
import { membershipOf, myAppointments } from '../queries.ts';
import { selfOf } from '#/features/access/rules.ts';
import { ask, confirm, forgetRequests, open } from './commands.ts';
import type { AskInput } from './contract.ts';
import { readRequest } from './queries.ts';

const noon = '2026-03-02T12:00:00Z';
const monday = '2026-03-09T14:00:00Z';
const database = await testDatabase({ now: noon, poolSize: 4 });
const { db, as, setNow, runJobs } = database;
const { production, send, verified, actorOf, userOf } = identitiesOf(database);
const nobody = as({ kind: 'guest' });

const setting = (values: { allow_guest_booking?: boolean; require_two_factor?: boolean }) =>
  db.updateTable('site_settings').set(values).execute();

beforeEach(async () => {
  setNow(noon);
  await setting({ allow_guest_booking: true, require_two_factor: false });
});

const reason = async (attempt: Promise<unknown>) => {
  const { code, reason: why } = await refusalOf(attempt);
  return `${code} ${why}`;
};

/** A request of a new guest with a provider of its own, as it was mailed. */
async function mailed(change: Partial<AskInput> = {}) {
  const provider = await addProvider(db);
  const input = await asked(db, provider.id, change);
  return { provider, input, email: input.contact.email, token: await askedByMail(database, input) };
}

const withAddress = (email: string) => ({ contact: { name: 'Naomi Weiss', email } });

async function account(email: string, role: Role = 'client'): Promise<Person> {
  const id = await createAccount(nobody, { email, name: 'Naomi', role, emailVerified: true });
  return { kind: 'person', id, role, sessionId: newId() };
}

/** Presses the link, and signs in with what it answers. */
async function pressed(token: string) {
  const { appointmentId, signInToken } = await confirm(nobody, { token });
  return { appointmentId, answer: await send(production, '/sign-in/link', { token: signInToken }) };
}

const bookingsOf = (email: string) =>
  db
    .selectFrom('appointments')
    .innerJoin('users', 'users.id', 'client_id')
    .select(['appointments.id', 'client_id', 'starts_at'])
    .where('users.email', '=', email.toLowerCase())
    .execute();

describe('asking', () => {
  test('mails a link whose secret is stored nowhere, and holds no time', async () => {
    const { provider, input, email, token } = await mailed();
    expect(token).toHaveLength(43);
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(r)::text as row from booking_requests r
        union all select to_jsonb(a)::text from audit_entries a
        union all select j.data::text from jobs.job j`.execute(db);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter(({ row }) => row.includes(token))).toEqual([]);
    expect(await userOf(email)).toBeUndefined();
    await book(as(await addClient(db)), {
      ...input,
      idempotencyKey: newId(),
      recurrence: 'one_time',
      sessions: 2,
    });
    const entry = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('subject_id', '=', input.idempotencyKey)
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({
      actor_kind: 'guest',
      action: 'booking.requested',
      details: { providerId: provider.id },
    });
    expect(JSON.stringify(entry)).not.toContain(email);
  });

  test('the mail tells when in the guest’s own zone, and neither whom they meet, nor what for, nor more words of theirs than a first name', async () => {
    const { input } = await mailed({
      contact: { name: 'Naomi Visit-evil.example now', email: 'words@guests.example', phone: '' },
    });
    const mail = await db
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', 'words@guests.example')
      .executeTakeFirstOrThrow();
    const all = `${mail.subject}\n${mail.text_body}\n${mail.html_body}`;
    expect(mail.subject).toBe('iTalk Health session to confirm: Mon, Mar 9, 09:00 AM CDT');
    expect(mail.text_body).toContain('Naomi');
    expect(mail.text_body).toContain('Confirm before: Tue, Mar 3, 06:00 AM CST');
    expect(all).not.toMatch(/evil|Psychologist|hour of care|Person |counsel/i);
    expect(input.contact.phone).toBe('');
  });

  test('answers the same, by the same queries, whether or not the address has an account', async () => {
    await verified('taken@italk.test');
    const provider = await addProvider(db);
    const seen: string[] = [];
    const watched: Ctx = {
      ...nobody,
      db: db.withPlugin({
        transformQuery: ({ node }) => {
          seen.push(JSON.stringify(node));
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      }),
    };
    const queriesOf = async (email: string) => {
      seen.length = 0;
      const answer = await ask(watched, await asked(db, provider.id, withAddress(email)), 100);
      await runJobs();
      const mail = await db
        .selectFrom('mails')
        .select(['subject', 'text_body'])
        .where('recipient', '=', email)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      return {
        answer: JSON.stringify(answer).replaceAll(email, '…'),
        mail: `${mail.subject} ${mail.text_body.replace(/\/booking\/[\w-]+/, '…')}`,
        tables: seen.map((node) =>
          [...node.matchAll(/"IdentifierNode","name":"(\w+)"/g)].map(([, name]) => name),
        ),
      };
    };
    const known = await queriesOf('taken@italk.test');
    const unknown = await queriesOf('unknown@italk.test');
    expect(known).toEqual(unknown);
    expect(known.tables.flat()).toContain('booking_requests');
    expect(known.tables.flat()).not.toContain('users');
    expect(known.tables.flat()).not.toContain('credentials');
  });

  test('the same key is the same request, mailed once, also when it is sent twice at once', async () => {
    const provider = await addProvider(db);
    const input = await asked(db, provider.id);
    await Promise.all([ask(nobody, input, 100), ask(nobody, input, 100)]);
    expect(await ask(nobody, input, 100)).toEqual({ sentTo: input.contact.email });
    await runJobs();
    const token = await mailedLink(db, input.contact.email);
    const other = ask(nobody, { ...input, startsAt: '2026-03-09T15:00:00Z' }, 100);
    expect(await reason(other)).toBe('conflict idempotency_key_reused');
    await confirm(nobody, { token });
    expect(await ask(nobody, input, 100)).toEqual({ sentTo: input.contact.email });
    await runJobs();
    const mails = await db
      .selectFrom('mails')
      .select('key')
      .where('recipient', '=', input.contact.email)
      .where('key', 'like', 'booking-request:%')
      .execute();
    expect(mails).toHaveLength(1);
  });

  test('is refused where a client would be, with the next free starts', async () => {
    const provider = await addProvider(db);
    const unlisted = await addProvider(db, { listed: false });
    const input = await asked(db, provider.id);
    const trying = (change: Partial<AskInput>) =>
      refusalOf(ask(nobody, { ...input, idempotencyKey: newId(), ...change }, 100));
    const other = await addService(db, { id: 'not-theirs', durationMinutes: 60, priceCents: 1 });
    expect(await trying({ providerId: unlisted.id })).toMatchObject({
      code: 'not_found',
      reason: 'specialist',
    });
    expect(await trying({ providerId: newId() })).toMatchObject({ code: 'not_found', reason: 'specialist' });
    expect(await trying({ serviceId: other })).toMatchObject({
      fields: [{ field: 'serviceId', reason: 'not_offered' }],
    });
    expect(await trying({ durationMinutes: 50 })).toMatchObject({ fields: [{ field: 'durationMinutes' }] });
    expect(await trying({ timeZone: 'Mars/Olympus' })).toMatchObject({ fields: [{ field: 'timeZone' }] });
    expect(await trying({ startsAt: '2026-03-02T16:00:00Z' })).toMatchObject({ reason: 'too_little_notice' });
    await book(as(await addClient(db)), { ...input, recurrence: 'one_time', sessions: 2 });
    const taken = await trying({});
    expect(taken).toMatchObject({ code: 'conflict', reason: 'slot_taken' });
    expect(taken.data.nextFreeStarts).toHaveLength(5);
  });

  test('is refused while the setting is off', async () => {
    const provider = await addProvider(db);
    await setting({ allow_guest_booking: false });
    expect(await reason(ask(nobody, await asked(db, provider.id), 100))).toBe('forbidden guest_booking_off');
  });

  test('three mails go to one address in a quarter of an hour, ten in a day, and thirty are asked for from one network', async () => {
    const provider = await addProvider(db);
    const from = (address: string): Ctx => ({ ...nobody, address });
    const once = async (email: string, address: string) => {
      const input = await asked(db, provider.id, withAddress(email));
      const [end] = await Promise.allSettled([ask(from(address), input, 1)]);
      return end.status === 'fulfilled' ? 'sent' : (end.reason as AppError).reason;
    };
    const ends: string[] = [];
    for (let n = 0; n < 4; n++)
      ends.push(await once(n % 2 ? 'Much@guests.example' : 'much@guests.example', `192.0.2.${n}`));
    expect(ends).toEqual(['sent', 'sent', 'sent', 'too_many_requests']);
    for (let hour = 1; hour < 4; hour++) {
      setNow(`2026-03-02T1${2 + hour}:00:00Z`);
      for (let n = 0; n < 3; n++) ends.push(await once('much@guests.example', `192.0.2.${n}`));
    }
    expect(ends.filter((end) => end === 'sent')).toHaveLength(10);
    const network: string[] = [];
    for (let n = 0; n < 31; n++) network.push(await once(`n${n}@guests.example`, '198.51.100.9'));
    expect(network.filter((end) => end === 'sent')).toHaveLength(30);
    expect(network[30]).toBe('too_many_requests');
    const limits = await db.selectFrom('rate_limits').select('key').execute();
    expect(JSON.stringify(limits)).not.toMatch(/guests\.example/i);
  });
});

describe('the link', () => {
  test('shows what was asked for, books it, makes the account and signs in', async () => {
    const { provider, input, email, token } = await mailed();
    expect(await readRequest(nobody, token)).toMatchObject({
      state: 'open',
      signsIn: true,
      session: {
        status: null,
        provider: { id: provider.id, title: 'Psychologist' },
        service: { title: 'An hour of care' },
        startsAt: monday,
        endsAt: '2026-03-09T15:00:00Z',
        durationMinutes: 60,
        timeZone: 'America/New_York',
        priceCents: 10_000,
        contact: { name: 'Naomi Weiss', phone: '+1 617 555 0100' },
      },
    });
    const { appointmentId, answer } = await pressed(token);
    expect([answer.status, answer.body]).toEqual([200, { signedIn: true }]);
    const actor = (await actorOf(production, answer.cookie)) as Person;
    expect(actor).toMatchObject({ kind: 'person', role: 'client' });
    expect(await userOf(email)).toMatchObject({ id: actor.id, name: 'Naomi Weiss', email_verified: true });
    const mine = await myAppointments(as(actor), selfOf(as(actor)), {
      from: noon,
      to: '2027-03-02T12:00:00Z',
      limit: 10,
    });
    expect(mine).toMatchObject([
      {
        id: appointmentId,
        status: 'confirmed',
        startsAt: monday,
        reminderMinutes: input.reminderMinutes,
        priceCents: 10_000,
      },
    ]);
    await runJobs();
    const mails = await db.selectFrom('mails').select('subject').where('recipient', '=', email).execute();
    expect(mails.map(({ subject }) => subject)).toContain(
      'iTalk Health session booked: Mon, Mar 9, 09:00 AM CDT',
    );
    const row = await db
      .selectFrom('booking_requests')
      .selectAll()
      .where('id', '=', input.idempotencyKey)
      .executeTakeFirstOrThrow();
    expect([row.email, row.input]).toEqual([null, null]);
    expect(await readRequest(nobody, token)).toMatchObject({
      state: 'booked',
      signsIn: true,
      session: { status: 'confirmed', contact: { name: 'Naomi Weiss', phone: '+1 617 555 0100' } },
    });
    expect(await readRequest(as(actor), token)).toMatchObject({ state: 'booked', signsIn: false });
    const done = await db
      .selectFrom('audit_entries')
      .select(['action', 'actor_kind', 'actor_id'])
      .where('subject_id', 'in', [actor.id, input.idempotencyKey])
      .orderBy('id')
      .execute();
    expect(done.map((one) => [one.action, one.actor_kind])).toEqual([
      ['booking.requested', 'guest'],
      ['account_created', 'guest'],
      ['booking.request_confirmed', 'guest'],
      ['signed_in', 'person'],
    ]);
  });

  test('pressed again it is the same booking, and what it gave to sign in with works once, for ten minutes', async () => {
    const { email, token } = await mailed();
    const first = await confirm(nobody, { token });
    const second = await confirm(nobody, { token, startsAt: '2026-03-09T15:00:00Z' });
    expect(second.appointmentId).toBe(first.appointmentId);
    expect(await bookingsOf(email)).toHaveLength(1);
    expect(await send(production, '/sign-in/link', { token: first.signInToken })).toMatchObject({
      status: 200,
    });
    expect(await send(production, '/sign-in/link', { token: first.signInToken })).toMatchObject({
      status: 412,
      body: { reason: 'link_expired' },
    });
    setNow('2026-03-02T12:10:00Z');
    expect(await send(production, '/sign-in/link', { token: second.signInToken })).toMatchObject({
      status: 412,
    });
  });

  test('a second booking of the same guest is for the same account', async () => {
    const { email, token } = await mailed();
    await confirm(nobody, { token });
    const again = await mailed({ ...withAddress(email.toUpperCase()), startsAt: '2026-03-10T14:00:00Z' });
    expect((await pressed(again.token)).answer.body).toEqual({ signedIn: true });
    expect(new Set((await bookingsOf(email)).map((row) => row.client_id)).size).toBe(1);
  });

  test('a start that was taken meanwhile is refused with others, of which one is taken then', async () => {
    const { input, email, token } = await mailed();
    await book(as(await addClient(db)), {
      ...input,
      idempotencyKey: newId(),
      recurrence: 'one_time',
      sessions: 2,
    });
    const refused = await refusalOf(confirm(nobody, { token }));
    expect(refused).toMatchObject({ code: 'conflict', reason: 'slot_taken' });
    const [next, ...more] = refused.data.nextFreeStarts as string[];
    expect(more).toHaveLength(4);
    expect(await userOf(email)).toBeUndefined();
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'open' });
    const { appointmentId } = await confirm(nobody, { token, startsAt: next! });
    expect((await bookingsOf(email)).map((row) => [row.id, row.starts_at.toISOString()])).toEqual([
      [appointmentId, new Date(next!).toISOString()],
    ]);
  });

  test('expires after a day, and never holds past the start', async () => {
    await db.updateTable('site_settings').set({ booking_advance_notice: 0 }).execute();
    const { token } = await mailed();
    const soon = await mailed({ startsAt: '2026-03-02T17:00:00Z' });
    setNow('2026-03-02T17:00:00Z');
    expect(await readRequest(nobody, soon.token)).toEqual({
      state: 'expired',
      signsIn: false,
      session: null,
    });
    expect(await reason(confirm(nobody, { token: soon.token }))).toBe('precondition link_expired');
    setNow('2026-03-03T11:59:59Z');
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'open' });
    setNow('2026-03-03T12:00:00Z');
    expect(await reason(confirm(nobody, { token }))).toBe('precondition link_expired');
    await db.updateTable('site_settings').set({ booking_advance_notice: 24 }).execute();
  });

  test('one that isn’t ours is not found, and one before its booking opens nothing', async () => {
    const { token } = await mailed();
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const attempt of [
      () => readRequest(nobody, altered),
      () => confirm(nobody, { token: altered }),
      () => open(nobody, altered),
    ])
      expect(await reason(attempt())).toBe('not_found booking_request');
    expect(await reason(open(nobody, token))).toBe('precondition not_booked');
  });

  test('while the setting is off nothing is booked by it, and what was booked opens', async () => {
    const [waiting, booked] = [await mailed(), await mailed()];
    await confirm(nobody, { token: booked.token });
    await setting({ allow_guest_booking: false });
    expect(await readRequest(nobody, waiting.token)).toEqual({ state: 'off', signsIn: false, session: null });
    expect(await reason(confirm(nobody, { token: waiting.token }))).toBe('forbidden guest_booking_off');
    expect(await readRequest(nobody, booked.token)).toMatchObject({ state: 'booked' });
    expect((await open(nobody, booked.token)).signInToken).not.toBeNull();
  });

  test('leads back until a day after the session, also after it was moved or cancelled', async () => {
    const { email, token } = await mailed();
    const { appointmentId } = await confirm(nobody, { token });
    const { id } = (await userOf(email))!;
    const guest = as({ kind: 'person', id, role: 'client', sessionId: newId() });
    await reschedule(guest, (await membershipOf(guest, appointmentId)).appointmentId, '2026-03-10T14:00:00Z');
    expect(await readRequest(nobody, token)).toMatchObject({ session: { startsAt: '2026-03-10T14:00:00Z' } });
    await cancel(guest, appointmentId);
    setNow('2026-03-11T14:59:59Z');
    await forgetRequests(as({ kind: 'job', name: 'tidy' }));
    expect(await readRequest(nobody, token)).toMatchObject({ session: { status: 'cancelled' } });
    const { signInToken } = await open(nobody, token);
    expect((await send(production, '/sign-in/link', { token: signInToken })).body).toEqual({
      signedIn: true,
    });
    setNow('2026-03-11T15:00:00Z');
    expect(await readRequest(nobody, token)).toEqual({ state: 'over', signsIn: false, session: null });
    expect(await reason(open(nobody, token))).toBe('precondition link_expired');
    expect(await reason(confirm(nobody, { token }))).toBe('precondition link_expired');
    await forgetRequests(as({ kind: 'job', name: 'tidy' }));
    expect(await reason(readRequest(nobody, token))).toBe('not_found booking_request');
  });

  test('what wasn’t confirmed is deleted once it has expired', async () => {
    const { input } = await mailed();
    const there = () =>
      db.selectFrom('booking_requests').select('id').where('id', '=', input.idempotencyKey).execute();
    setNow('2026-03-03T11:59:59Z');
    await forgetRequests(as({ kind: 'job', name: 'tidy' }));
    expect(await there()).toHaveLength(1);
    setNow('2026-03-03T12:00:00Z');
    await forgetRequests(as({ kind: 'job', name: 'tidy' }));
    expect(await there()).toEqual([]);
  });
});

describe('an address that has an account', () => {
  test('with a password books only by who is signed in to it, and the link never signs in', async () => {
    const { id } = await verified('owner@italk.test');
    const { token } = await mailed(withAddress('Owner@italk.test'));
    const owner = as({ kind: 'person', id, role: 'client', sessionId: newId() });
    const stranger = as(await addClient(db));
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'sign_in', signsIn: false });
    expect(await readRequest(stranger, token)).toMatchObject({ state: 'other', signsIn: false });
    expect(await readRequest(owner, token)).toMatchObject({ state: 'open', signsIn: false });
    expect(await reason(confirm(nobody, { token }))).toBe('unauthenticated sign_in_required');
    expect(await reason(confirm(stranger, { token }))).toBe('forbidden other_account');
    expect(await bookingsOf('owner@italk.test')).toEqual([]);
    expect(await confirm(owner, { token })).toMatchObject({ signInToken: null });
    expect(await bookingsOf('owner@italk.test')).toHaveLength(1);
    expect(await open(nobody, token)).toEqual({ signInToken: null });
  });

  test('with a password since, opens nothing by the link any more', async () => {
    const { email, token } = await mailed();
    const { signInToken } = await confirm(nobody, { token });
    const { id } = (await userOf(email))!;
    const reset = await makeLinkToken(nobody, 'reset-password', id);
    await send(production, '/reset-password', { token: reset, newPassword: password });
    expect(await send(production, '/sign-in/link', { token: signInToken })).toMatchObject({ status: 412 });
    expect(await open(nobody, token)).toEqual({ signInToken: null });
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'booked', signsIn: false });
    const late = await makeLinkToken(nobody, 'sign-in', id);
    const answer = await send(production, '/sign-in/link', { token: late });
    expect([answer.body, answer.cookies]).toEqual([{ signedIn: false }, []]);
  });

  test('that was signed up with by somebody else, unverified, isn’t booked for, nor signed in to', async () => {
    await send(production, '/sign-up/email', { name: 'Mallory', email: 'victim@italk.test', password });
    const { token } = await mailed(withAddress('victim@italk.test'));
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'sign_in' });
    expect(await reason(confirm(nobody, { token }))).toBe('unauthenticated sign_in_required');
  });

  test('of a specialist, an administrator or one of ADMIN_EMAILS isn’t signed in to by it', async () => {
    const doctor = await account('doctor@italk.test', 'doctor');
    const { token } = await mailed(withAddress('doctor@italk.test'));
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'sign_in', signsIn: false });
    expect(await reason(confirm(nobody, { token }))).toBe('unauthenticated sign_in_required');
    expect(await reason(confirm(as(doctor), { token }))).toBe('forbidden capability_missing');
    const chief = await mailed(withAddress('chief@italk.test'));
    const { answer } = await pressed(chief.token);
    expect([answer.body, answer.cookies]).toEqual([{ signedIn: false }, []]);
    const { id } = (await userOf('chief@italk.test'))!;
    const profile = await db.selectFrom('profiles').select('role').where('id', '=', id).executeTakeFirst();
    expect(profile).toEqual({ role: 'client' });
  });

  test('without a password is signed in to where nobody is, and is its own person’s where they are', async () => {
    const person = await account('plain@italk.test');
    const { token } = await mailed(withAddress('plain@italk.test'));
    expect(await reason(confirm(as(await addClient(db)), { token }))).toBe('forbidden other_account');
    expect(await confirm(as(person), { token })).toMatchObject({ signInToken: null });
    expect((await open(nobody, token)).signInToken).not.toBeNull();
    expect(await reason(open(as(await addClient(db)), token))).toBe('forbidden other_account');
  });

  test('books no session with itself', async () => {
    const provider = await addProvider(db);
    await db.updateTable('profiles').set({ role: 'client' }).where('id', '=', provider.id).execute();
    const token = await askedByMail(
      database,
      await asked(db, provider.id, withAddress(`${provider.id}@people.example`)),
    );
    expect(await refusalOf(confirm(nobody, { token }))).toMatchObject({
      fields: [{ field: 'providerId', reason: 'yourself' }],
    });
  });

  test('that is suspended is refused in words', async () => {
    const { email, token } = await mailed();
    const { signInToken } = await confirm(nobody, { token });
    await db
      .updateTable('profiles')
      .set({ suspended_at: new Date(noon) })
      .where('id', '=', (await userOf(email))!.id)
      .execute();
    expect(await send(production, '/sign-in/link', { token: signInToken })).toMatchObject({
      status: 403,
      body: { reason: 'account_suspended' },
    });
    const again = await mailed({ ...withAddress(email), startsAt: '2026-03-10T14:00:00Z' });
    expect(await reason(confirm(nobody, { token: again.token }))).toBe('forbidden account_suspended');
    expect(await bookingsOf(email)).toHaveLength(1);
  });

  test('for which two steps are demanded chooses a password first', async () => {
    await db
      .updateTable('feature_flags')
      .set({ enabled: true, scope: 'global' })
      .where('id', '=', 'two_factor_authentication')
      .execute();
    await setting({ require_two_factor: true });
    const { email, token } = await mailed();
    const { answer } = await pressed(token);
    expect(answer).toMatchObject({ status: 200, body: { signedIn: false }, cookies: [] });
    const reset = await send(production, '/reset-password', {
      token: answer.body.resetToken,
      newPassword: password,
    });
    expect(reset.body).toEqual({ signedIn: false });
    const setUp = await send(production, '/sign-in/email', { email, password });
    expect(setUp.body).toMatchObject({ signedIn: false, secondStep: {} });
  });
});

test('links from one network are limited', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 51; n++)
    statuses.push(
      (await send(production, '/sign-in/link', { token: `x${n}` }, { address: '198.51.100.77' })).status,
    );
  expect(new Set(statuses.slice(0, 50))).toEqual(new Set([412]));
  expect(statuses[50]).toBe(429);
});
