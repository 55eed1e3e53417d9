import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAccount, makeLinkToken } from '#/features/accounts/commands.ts';
import { endOtherSessions } from '#/features/accounts/session/commands.ts';
import type { AppError } from '#/kernel/errors.ts';
import type { Role } from '#/kernel/actor.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { requireParty } from '#/features/appointments/appointment/policies.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../tests/support/identity.ts';
import { addClient, addProvider, addService, type Person } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { asked, askedByMail, mailedLink } from '../../../tests/support/requests.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import { cancel, reschedule } from '#/features/appointments/life-cycle/commands.ts';
import { myAppointments } from '#/features/appointments/appointment/queries.ts';
import { selfOf } from '#/features/access/rules.ts';
import { requestGuestBooking, confirmRequest, deleteExpiredRequests } from './commands.ts';
import type { AskInput } from './contract.ts';
import { readRequest } from './queries.ts';

const noon = '2026-03-02T12:00:00Z';
const monday = '2026-03-09T14:00:00Z';
const database = await testDatabase({ now: noon, poolSize: 4 });
const { db, as, setNow, runJobs, readMails } = database;
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

/** Emails a new guest's booking request to a new provider. */
async function mailed(change: Partial<AskInput> = {}) {
  const provider = await addProvider(db);
  const input = await asked(db, provider.id, change);
  return { provider, input, email: input.contact.email, token: await askedByMail(database, input) };
}

/** Requests with the usual limits, from one network address. */
async function limitedRequests() {
  const provider = await addProvider(db);
  return async (email: string, address: string) => {
    const input = await asked(db, provider.id, withAddress(email));
    const [end] = await Promise.allSettled([requestGuestBooking({ ...nobody, address }, input, 1)]);
    return end.status === 'fulfilled' ? 'sent' : (end.reason as AppError).reason;
  };
}

const withAddress = (email: string) => ({
  contact: { name: 'Naomi Weiss', email, phone: '+1 617 555 0100' },
});

async function account(email: string, role: Role = 'client'): Promise<Person> {
  const id = await createAccount(nobody, { email, name: 'Naomi', role, emailVerified: true });
  return { kind: 'person', id, role, sessionId: newId() };
}

/** Confirms the booking and signs in with the returned token. */
async function pressed(token: string) {
  const { appointmentId, signInToken } = await confirmRequest(nobody, { token });
  return { appointmentId, answer: await send(production, '/sign-in/link', { token: signInToken }) };
}

const bookingsOf = (email: string) =>
  db
    .selectFrom('appointments')
    .innerJoin('users', 'users.id', 'client_id')
    .select(['appointments.id', 'client_id', 'starts_at'])
    .where('users.email', '=', email.toLowerCase())
    .execute();

describe('requesting a booking', () => {
  test('emails a link whose token isn’t stored, and holds no time', async () => {
    const { provider, input, email, token } = await mailed();
    expect(token).toHaveLength(43);
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(r)::text as row from booking_requests r
        union all select to_jsonb(a)::text from audit_entries a
        union all select j.data::text from jobs.job j`.execute(db);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter(({ row }) => row.includes(token))).toEqual([]);
    // Contact details are encrypted.
    expect(rows.filter(({ row }) => /Naomi|555 0100|New_York|Chicago/.test(row))).toEqual([]);
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

  test('emails the time in the guest’s zone, without specialist, service or more than a first name', async () => {
    await mailed({
      contact: {
        name: 'Naomi Visit-evil.example now',
        email: 'words@guests.example',
        phone: '+1 617 555 0100',
      },
    });
    const [mail] = await readMails((rows) => rows.where('recipient', '=', 'words@guests.example'));
    const all = `${mail!.subject}\n${mail!.text_body}\n${mail!.html_body}`;
    expect(mail!.subject).toBe('iTalk Health session to confirm: Mon, Mar 9, 9:00 AM CDT');
    expect(mail!.text_body).toContain('Naomi');
    expect(mail!.text_body).toContain('Confirm by: Tue, Mar 3, 6:00 AM CST');
    expect(all).not.toMatch(/evil|Psychologist|hour of care|Person |counsel/i);
    expect(all).not.toContain('617 555');
  });

  test('answers with the same queries whether or not the address has an account', async () => {
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
      const answer = await requestGuestBooking(
        watched,
        await asked(db, provider.id, withAddress(email)),
        100,
      );
      await runJobs();
      const mail = (await readMails((rows) => rows.where('recipient', '=', email))).at(-1)!;
      return {
        answer: JSON.stringify(answer).replaceAll(email, '…'),
        mail: `${mail.subject} ${mail.text_body.replace(/\/booking#[\w-]+/, '…')}`,
        // Notices are sent until none is left, so more often while others send some.
        tables: seen
          .filter((node) => !node.includes('outbox'))
          .map((node) => [...node.matchAll(/"IdentifierNode","name":"(\w+)"/g)].map(([, name]) => name)),
      };
    };
    // Statements compiled once are seen only at first use.
    await queriesOf('first@italk.test');
    const known = await queriesOf('taken@italk.test');
    const unknown = await queriesOf('unknown@italk.test');
    expect(known).toEqual(unknown);
    expect(known.tables.flat()).toContain('booking_requests');
    expect(known.tables.flat()).not.toContain('users');
    expect(known.tables.flat()).not.toContain('credentials');
  });

  test('emails one request per idempotency key, even when sent twice at once', async () => {
    const provider = await addProvider(db);
    const input = await asked(db, provider.id);
    await Promise.all([requestGuestBooking(nobody, input, 100), requestGuestBooking(nobody, input, 100)]);
    expect(await requestGuestBooking(nobody, input, 100)).toEqual({ sentTo: input.contact.email });
    await runJobs();
    const token = await mailedLink(database, input.contact.email);
    const other = requestGuestBooking(nobody, { ...input, startsAt: '2026-03-09T15:00:00Z' }, 100);
    expect(await reason(other)).toBe('conflict idempotency_key_reused');
    await confirmRequest(nobody, { token });
    expect(await requestGuestBooking(nobody, input, 100)).toEqual({ sentTo: input.contact.email });
    await runJobs();
    const mails = await db
      .selectFrom('mails')
      .select('key')
      .where('recipient', '=', input.contact.email)
      .where('key', 'like', 'booking-request:%')
      .orderBy('id')
      .execute();
    expect(mails).toHaveLength(1);
  });

  test('fails as for a client, and suggests the next free times', async () => {
    const provider = await addProvider(db);
    const unlisted = await addProvider(db, { listed: false });
    const input = await asked(db, provider.id);
    const trying = (change: Partial<AskInput>) =>
      refusalOf(requestGuestBooking(nobody, { ...input, idempotencyKey: newId(), ...change }, 100));
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
    const contact = { name: 'Naomi Weiss', email: input.contact.email };
    expect(await trying({ sessionType: 'phone', contact })).toMatchObject({
      fields: [{ field: 'contact.phone', reason: 'required' }],
    });
    expect(await trying({ timeZone: 'Mars/Olympus' })).toMatchObject({ fields: [{ field: 'timeZone' }] });
    expect(await trying({ startsAt: '2026-03-02T16:00:00Z' })).toMatchObject({ reason: 'too_little_notice' });
    await book(as(await addClient(db)), { ...input, recurrence: 'one_time', sessions: 2 });
    const taken = await trying({});
    expect(taken).toMatchObject({ code: 'conflict', reason: 'slot_taken' });
    expect(taken.data.nextFreeStarts).toHaveLength(5);
  });

  test('fails while the setting is off', async () => {
    const provider = await addProvider(db);
    await setting({ allow_guest_booking: false });
    expect(await reason(requestGuestBooking(nobody, await asked(db, provider.id), 100))).toBe(
      'forbidden guest_booking_off',
    );
  });

  test('limits emails per address to 3 per 15 minutes and 10 a day by one network, and 30 a day', async () => {
    const once = await limitedRequests();
    const ends: string[] = [];
    for (let n = 0; n < 4; n++)
      ends.push(await once(n % 2 ? 'Much@guests.example' : 'much@guests.example', '192.0.2.1'));
    expect(ends).toEqual(['sent', 'sent', 'sent', 'too_many_requests']);
    expect(await once('much@guests.example', '192.0.2.2')).toBe('sent');
    for (let hour = 1; hour < 4; hour++) {
      setNow(`2026-03-02T1${2 + hour}:00:00Z`);
      for (let n = 0; n < 3; n++) ends.push(await once('much@guests.example', '192.0.2.1'));
    }
    expect(ends.filter((end) => end === 'sent')).toHaveLength(10);
    const others: string[] = [];
    for (let n = 0; n < 20; n++) others.push(await once('much@guests.example', `192.0.2.${10 + n}`));
    expect(others.filter((end) => end === 'sent')).toHaveLength(19);
    expect(others[19]).toBe('too_many_requests');
  });

  test('limits emails to 30 per network, without storing addresses', async () => {
    const once = await limitedRequests();
    const network: string[] = [];
    for (let n = 0; n < 31; n++) network.push(await once(`n${n}@guests.example`, '198.51.100.9'));
    expect(network.filter((end) => end === 'sent')).toHaveLength(30);
    expect(network[30]).toBe('too_many_requests');
    const limits = await db.selectFrom('rate_limits').select('key').execute();
    expect(JSON.stringify(limits)).not.toMatch(/guests\.example/i);
  });
});

describe('the link', () => {
  test('shows the request, books it, creates the account and signs in', async () => {
    const { provider, input, email, token } = await mailed();
    expect(await readRequest(nobody, token)).toMatchObject({
      state: 'open',
      signsIn: true,
      session: {
        provider: { id: provider.id, title: 'Psychologist' },
        service: { title: 'An hour of care' },
        startsAt: monday,
        endsAt: '2026-03-09T15:00:00Z',
        durationMinutes: 60,
        timeZone: 'America/New_York',
        priceCents: 10_000,
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
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ subject }) => subject)).toContain(
      'iTalk Health session booked: Mon, Mar 9, 9:00 AM CDT',
    );
    const row = await db
      .selectFrom('booking_requests')
      .selectAll()
      .where('id', '=', input.idempotencyKey)
      .executeTakeFirstOrThrow();
    expect([row.email, row.input, row.sealed_input]).toEqual([null, null, null]);
    for (const reader of [nobody, as(actor)])
      expect(await readRequest(reader, token)).toEqual({ state: 'used', signsIn: false, session: null });
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

  test('works once, and then reveals nothing about the session', async () => {
    const { email, token } = await mailed();
    const { signInToken } = await confirmRequest(nobody, { token });
    const { id } = (await userOf(email))!;
    const owner = as({ kind: 'person', id, role: 'client', sessionId: newId() });
    for (const who of [nobody, owner, as(await addClient(db))])
      for (const startsAt of [undefined, '2026-03-09T15:00:00Z'])
        expect(await reason(confirmRequest(who, { token, startsAt }))).toBe('precondition link_used');
    expect(await bookingsOf(email)).toHaveLength(1);
    // The sign-in token also works only once.
    const enter = () => send(production, '/sign-in/link', { token: signInToken });
    expect(await enter()).toMatchObject({ status: 200, body: { signedIn: true } });
    expect(await enter()).toMatchObject({ status: 412, body: { reason: 'link_expired' } });
  });

  test('signs in once when used twice at the same time', async () => {
    const { email, token } = await mailed();
    const ends = await Promise.allSettled([1, 2, 3].map(() => confirmRequest(nobody, { token })));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(ends.flatMap((end) => (end.status === 'rejected' ? (end.reason as AppError).reason : []))).toEqual(
      ['link_used', 'link_used'],
    );
    expect(await bookingsOf(email)).toHaveLength(1);
  });

  test('issues a sign-in token valid for ten minutes', async () => {
    const { token } = await mailed();
    const { signInToken } = await confirmRequest(nobody, { token });
    setNow('2026-03-02T12:10:00Z');
    expect(await send(production, '/sign-in/link', { token: signInToken })).toMatchObject({ status: 412 });
  });

  test('can be read without using it up, and isn’t itself a sign-in token', async () => {
    const { token } = await mailed();
    for (let n = 0; n < 3; n++) expect(await readRequest(nobody, token)).toMatchObject({ state: 'open' });
    expect(await send(production, '/sign-in/link', { token })).toMatchObject({ status: 412 });
    expect((await confirmRequest(nobody, { token })).signInToken).not.toBeNull();
    expect(await send(production, '/sign-in/link', { token })).toMatchObject({ status: 412 });
  });

  test('reuses the account for a guest’s second booking', async () => {
    const { email, token } = await mailed();
    await confirmRequest(nobody, { token });
    const again = await mailed({ ...withAddress(email.toUpperCase()), startsAt: '2026-03-10T14:00:00Z' });
    expect((await pressed(again.token)).answer.body).toEqual({ signedIn: true });
    expect(new Set((await bookingsOf(email)).map((row) => row.client_id)).size).toBe(1);
  });

  test('suggests other times when its time was taken, and books one of them', async () => {
    const { input, email, token } = await mailed();
    await book(as(await addClient(db)), {
      ...input,
      idempotencyKey: newId(),
      recurrence: 'one_time',
      sessions: 2,
    });
    const refused = await refusalOf(confirmRequest(nobody, { token }));
    expect(refused).toMatchObject({ code: 'conflict', reason: 'slot_taken' });
    const [next, ...more] = refused.data.nextFreeStarts as string[];
    expect(more).toHaveLength(4);
    expect(await userOf(email)).toBeUndefined();
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'open' });
    const { appointmentId } = await confirmRequest(nobody, { token, startsAt: next! });
    expect((await bookingsOf(email)).map((row) => [row.id, row.starts_at.toISOString()])).toEqual([
      [appointmentId, new Date(next!).toISOString()],
    ]);
  });

  test('fails on a price increase until the new price is accepted', async () => {
    const id = await addService(db, { id: newId(), durationMinutes: 60, priceCents: 10_000 });
    const provider = await addProvider(db);
    await db.insertInto('provider_services').values({ provider_id: provider.id, service_id: id }).execute();
    const input = await asked(db, provider.id, { serviceId: id, priceCents: 9_000 });
    const changed = (priceCents: number) => ({ reason: 'price_changed', data: { priceCents } });
    expect(await refusalOf(requestGuestBooking(nobody, input, 100))).toMatchObject(changed(10_000));
    const token = await askedByMail(database, { ...input, priceCents: 10_000 });
    await db.updateTable('services').set({ price_cents: 11_000 }).where('id', '=', id).execute();
    expect(await refusalOf(confirmRequest(nobody, { token }))).toMatchObject(changed(11_000));
    expect(await bookingsOf(input.contact.email)).toEqual([]);
    const { session } = await readRequest(nobody, token);
    await confirmRequest(nobody, { token, priceCents: session!.priceCents });
    expect(await bookingsOf(input.contact.email)).toHaveLength(1);
  });

  test('expires after a day, or at the session’s start', async () => {
    await db.updateTable('site_settings').set({ booking_advance_notice: 0 }).execute();
    const { token } = await mailed();
    const soon = await mailed({ startsAt: '2026-03-02T17:00:00Z' });
    setNow('2026-03-02T17:00:00Z');
    expect(await readRequest(nobody, soon.token)).toEqual({
      state: 'expired',
      signsIn: false,
      session: null,
    });
    expect(await reason(confirmRequest(nobody, { token: soon.token }))).toBe('precondition link_expired');
    setNow('2026-03-03T11:59:59Z');
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'open' });
    setNow('2026-03-03T12:00:00Z');
    expect(await reason(confirmRequest(nobody, { token }))).toBe('precondition link_expired');
    await db.updateTable('site_settings').set({ booking_advance_notice: 24 }).execute();
  });

  test('returns not_found for an unknown token', async () => {
    const { token } = await mailed();
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const attempt of [
      () => readRequest(nobody, altered),
      () => confirmRequest(nobody, { token: altered }),
    ])
      expect(await reason(attempt())).toBe('not_found booking_request');
  });

  test('books nothing while the setting is off', async () => {
    const [waiting, booked] = [await mailed(), await mailed()];
    await confirmRequest(nobody, { token: booked.token });
    await setting({ allow_guest_booking: false });
    expect(await readRequest(nobody, waiting.token)).toEqual({ state: 'off', signsIn: false, session: null });
    expect(await reason(confirmRequest(nobody, { token: waiting.token }))).toBe(
      'forbidden guest_booking_off',
    );
    expect(await readRequest(nobody, booked.token)).toMatchObject({ state: 'used' });
  });

  test('is recognized as used until a day after the session, even if moved or canceled', async () => {
    const { email, token } = await mailed();
    const { appointmentId } = await confirmRequest(nobody, { token });
    const { id } = (await userOf(email))!;
    const guest = as({ kind: 'person', id, role: 'client', sessionId: newId() });
    await reschedule(guest, (await requireParty(guest, appointmentId)).appointmentId, '2026-03-10T14:00:00Z');
    await cancel(guest, appointmentId);
    setNow('2026-03-11T14:59:59Z');
    await deleteExpiredRequests(as({ kind: 'job', name: 'tidy' }));
    expect(await readRequest(nobody, token)).toEqual({ state: 'used', signsIn: false, session: null });
    expect(await reason(confirmRequest(nobody, { token }))).toBe('precondition link_used');
    setNow('2026-03-11T15:00:00Z');
    await deleteExpiredRequests(as({ kind: 'job', name: 'tidy' }));
    expect(await reason(readRequest(nobody, token))).toBe('not_found booking_request');
  });

  test('ends with its sign-in token when its owner signs out other devices', async () => {
    const { email, token } = await mailed();
    const { signInToken } = await confirmRequest(nobody, { token });
    const pending = await mailed({ ...withAddress(email), startsAt: '2026-03-10T14:00:00Z' });
    const { id } = (await userOf(email))!;
    const owner = as({ kind: 'person', id, role: 'client', sessionId: newId() });
    await endOtherSessions(owner);
    expect(await send(production, '/sign-in/link', { token: signInToken })).toMatchObject({ status: 412 });
    expect(await readRequest(nobody, pending.token)).toEqual({
      state: 'expired',
      signsIn: false,
      session: null,
    });
    expect(await reason(confirmRequest(nobody, { token: pending.token }))).toBe('precondition link_expired');
    expect(await bookingsOf(email)).toHaveLength(1);
    // Signed-in people get no sign-in token.
    expect(await confirmRequest(owner, { token: pending.token })).toMatchObject({ signInToken: null });
    setNow('2026-03-02T12:01:00Z');
    const later = await mailed({ ...withAddress(email), startsAt: '2026-03-11T14:00:00Z' });
    expect((await confirmRequest(nobody, { token: later.token })).signInToken).not.toBeNull();
  });

  test('confirms nothing for another signed-in person, and still works for its owner', async () => {
    const { email, token } = await mailed();
    const stranger = as(await addClient(db));
    expect(await readRequest(stranger, token)).toMatchObject({ state: 'other', signsIn: false });
    expect(await reason(confirmRequest(stranger, { token }))).toBe('forbidden other_account');
    expect((await confirmRequest(nobody, { token })).signInToken).not.toBeNull();
    expect(await bookingsOf(email)).toHaveLength(1);
  });

  test('is deleted with its expired request', async () => {
    const { input } = await mailed();
    const there = () =>
      db.selectFrom('booking_requests').select('id').where('id', '=', input.idempotencyKey).execute();
    setNow('2026-03-03T11:59:59Z');
    await deleteExpiredRequests(as({ kind: 'job', name: 'tidy' }));
    expect(await there()).toHaveLength(1);
    setNow('2026-03-03T12:00:00Z');
    await deleteExpiredRequests(as({ kind: 'job', name: 'tidy' }));
    expect(await there()).toEqual([]);
  });
});

describe('an address that has an account', () => {
  test('books only for its signed-in owner if it has a password, and the link never signs in', async () => {
    const { id } = await verified('owner@italk.test');
    setNow('2026-03-02T12:00:01Z');
    const { token } = await mailed(withAddress('Owner@italk.test'));
    const owner = as({ kind: 'person', id, role: 'client', sessionId: newId() });
    const stranger = as(await addClient(db));
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'sign_in', signsIn: false });
    expect(await readRequest(stranger, token)).toMatchObject({ state: 'other', signsIn: false });
    expect(await readRequest(owner, token)).toMatchObject({ state: 'open', signsIn: false });
    expect(await reason(confirmRequest(nobody, { token }))).toBe('unauthenticated sign_in_required');
    expect(await reason(confirmRequest(stranger, { token }))).toBe('forbidden other_account');
    expect(await bookingsOf('owner@italk.test')).toEqual([]);
    expect(await confirmRequest(owner, { token })).toMatchObject({ signInToken: null });
    expect(await bookingsOf('owner@italk.test')).toHaveLength(1);
  });

  test('invalidates the link once a password is set', async () => {
    const { email, token } = await mailed();
    const { signInToken } = await confirmRequest(nobody, { token });
    const { id } = (await userOf(email))!;
    const reset = await makeLinkToken(nobody, 'reset-password', id);
    await send(production, '/reset-password', { token: reset, newPassword: password });
    expect(await send(production, '/sign-in/link', { token: signInToken })).toMatchObject({ status: 412 });
    const waiting = await mailed({ ...withAddress(email), startsAt: '2026-03-10T14:00:00Z' });
    await send(production, '/reset-password', {
      token: await makeLinkToken(nobody, 'reset-password', id),
      newPassword: `${password}-2`,
    });
    expect(await reason(confirmRequest(nobody, { token: waiting.token }))).toBe('precondition link_expired');
    const late = await makeLinkToken(nobody, 'sign-in', id);
    const answer = await send(production, '/sign-in/link', { token: late });
    expect([answer.body, answer.cookies]).toEqual([{ signedIn: false }, []]);
  });

  test('is treated as new after a stranger’s sign-up, without giving the stranger access', async () => {
    const email = 'victim@italk.test';
    await send(production, '/sign-up/email', { name: 'Mallory', email, password });
    const { token } = await mailed(withAddress(email));
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'open' });
    const { signInToken } = await confirmRequest(nobody, { token });
    expect(signInToken).not.toBeNull();
    expect(await send(production, '/sign-in/email', { email, password })).toMatchObject({ status: 401 });
    expect(await userOf(email)).toMatchObject({ name: expect.not.stringContaining('Mallory') as string });
  });

  test('isn’t signed in by link for specialists, administrators and ADMIN_EMAILS', async () => {
    const doctor = await account('doctor@italk.test', 'doctor');
    const { token } = await mailed(withAddress('doctor@italk.test'));
    expect(await readRequest(nobody, token)).toMatchObject({ state: 'sign_in', signsIn: false });
    expect(await reason(confirmRequest(nobody, { token }))).toBe('unauthenticated sign_in_required');
    expect(await reason(confirmRequest(as(doctor), { token }))).toBe('forbidden capability_missing');
    const chief = await mailed(withAddress('chief@italk.test'));
    const { answer } = await pressed(chief.token);
    expect([answer.body, answer.cookies]).toEqual([{ signedIn: false }, []]);
    const { id } = (await userOf('chief@italk.test'))!;
    const profile = await db.selectFrom('profiles').select('role').where('id', '=', id).executeTakeFirst();
    expect(profile).toEqual({ role: 'client' });
  });

  test('without a password, signs in guests but never a different signed-in person', async () => {
    const person = await account('plain@italk.test');
    const { token } = await mailed(withAddress('plain@italk.test'));
    expect(await reason(confirmRequest(as(await addClient(db)), { token }))).toBe('forbidden other_account');
    expect(await confirmRequest(as(person), { token })).toMatchObject({ signInToken: null });
  });

  test('can’t book a session with itself', async () => {
    const provider = await addProvider(db);
    await db.updateTable('profiles').set({ role: 'client' }).where('id', '=', provider.id).execute();
    const token = await askedByMail(
      database,
      await asked(db, provider.id, withAddress(`${provider.id}@people.example`)),
    );
    expect(await refusalOf(confirmRequest(nobody, { token }))).toMatchObject({
      fields: [{ field: 'providerId', reason: 'yourself' }],
    });
  });

  test('fails with an explanation while suspended', async () => {
    const { email, token } = await mailed();
    const { signInToken } = await confirmRequest(nobody, { token });
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
    expect(await reason(confirmRequest(nobody, { token: again.token }))).toBe('forbidden account_suspended');
    expect(await bookingsOf(email)).toHaveLength(1);
  });

  test('fails while an administrator’s change of it can be undone', async () => {
    const { email, token } = await mailed();
    const { id } = await account(email);
    await db
      .insertInto('address_changes')
      .values({
        id: newId(),
        user_id: id,
        former_address: `former.${email}`,
        token: null,
        changed_at: new Date(noon),
      })
      .execute();
    expect(await reason(confirmRequest(nobody, { token }))).toBe('forbidden address_held');
    expect(await bookingsOf(email)).toEqual([]);
    await db.deleteFrom('address_changes').where('user_id', '=', id).execute();
    await confirmRequest(nobody, { token });
    expect(await bookingsOf(email)).toHaveLength(1);
  });

  test('must choose a password first if two-factor is required', async () => {
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

test('lets people set a password later through an emailed link after guest booking', async () => {
  const { email, token } = await mailed();
  const { appointmentId } = await confirmRequest(nobody, { token });
  await send(production, '/request-password-reset', { email, next: '/profile?tab=settings' });
  await runJobs();
  const mails = await readMails((rows) => rows.where('recipient', '=', email));
  const [path] = mails.flatMap(({ text_body }) => /\/reset-password\?\S+/.exec(text_body) ?? []);
  const link = new URL(path!, 'https://italk.example');
  expect(link.searchParams.get('next')).toBe('/profile?tab=settings');
  const set = await send(production, '/reset-password', { token: link.hash.slice(1), newPassword: password });
  expect(set.body).toMatchObject({ signedIn: true });
  const { body, cookie } = await send(production, '/sign-in/email', { email, password });
  expect(body).toMatchObject({ signedIn: true });
  const person = await actorOf(production, cookie);
  const { client_id } = (await bookingsOf(email)).find(({ id }) => id === appointmentId)!;
  expect(person).toMatchObject({ kind: 'person', id: client_id });
});

describe('a sign-in link by email', () => {
  const wanted = async (email: string) => {
    const answer = await send(production, '/request-sign-in-link', { email });
    await runJobs();
    const mails = await readMails((rows) =>
      rows.where('recipient', '=', email).where('kind', '=', 'sign_in_link'),
    );
    const links = mails.map(({ text_body }) => /\/sign-in-link#([\w-]+)/.exec(text_body)?.[1] ?? null);
    return { answer: [answer.status, answer.body, answer.cookies], links };
  };
  const enter = (token: string | null | undefined) =>
    send(production, '/sign-in/link', { token: token ?? '' });

  test('returns a guest to their booking once, within an hour', async () => {
    const { email, token } = await mailed();
    const { appointmentId } = await confirmRequest(nobody, { token });
    const { links } = await wanted(email);
    const entered = await enter(links[0]);
    expect(entered.body).toEqual({ signedIn: true });
    const guest = as(await actorOf(production, entered.cookie));
    await cancel(guest, appointmentId);
    expect((await enter(links[0])).status).toBe(412);
    const late = (await wanted(email)).links[1];
    setNow('2026-03-02T13:00:00Z');
    expect((await enter(late)).status).toBe(412);
  });

  test('answers the same for unknown addresses, sending no email', async () => {
    const { email, token } = await mailed();
    await confirmRequest(nobody, { token });
    await verified('has.password@italk.test');
    const [known, guarded, unknown] = [
      await wanted(email),
      await wanted('has.password@italk.test'),
      await wanted('nobody.here@italk.test'),
    ];
    expect(unknown.answer).toEqual(known.answer);
    expect(guarded.answer).toEqual(known.answer);
    expect(known.links).toEqual([expect.stringMatching(/^[\w-]{32}$/)]);
    // Accounts with a password get an email without a link.
    expect(guarded.links).toEqual([null]);
    expect(unknown.links).toEqual([]);
  });

  test(
    'is limited to three emails per 15 minutes, with an unchanged answer',
    { tags: ['long'] },
    async () => {
      const { email, token } = await mailed();
      await confirmRequest(nobody, { token });
      const answers = [];
      for (let n = 0; n < 5; n++) answers.push(await wanted(email));
      expect(answers.at(-1)!.links).toHaveLength(3);
      expect(answers.at(-1)!.answer).toEqual(answers[0]!.answer);
    },
  );

  test('ends on “sign out everywhere else” and on a new password', async () => {
    const { email, token } = await mailed();
    await confirmRequest(nobody, { token });
    const { id } = (await userOf(email))!;
    const [first] = (await wanted(email)).links;
    await endOtherSessions(as({ kind: 'person', id, role: 'client', sessionId: newId() }));
    expect((await enter(first)).status).toBe(412);
    const second = (await wanted(email)).links[1];
    await send(production, '/reset-password', {
      token: await makeLinkToken(nobody, 'reset-password', id),
      newPassword: password,
    });
    expect((await enter(second)).status).toBe(412);
  });

  test(
    'leaves no session when used while its owner signs out other devices',
    { tags: ['long'] },
    async () => {
      for (let round = 0; round < 8; round++) {
        const { email, token } = await mailed();
        const { signInToken } = await confirmRequest(nobody, { token });
        const { id } = (await userOf(email))!;
        const kept = newId();
        await Promise.all([
          send(production, '/sign-in/link', { token: signInToken }),
          endOtherSessions(as({ kind: 'person', id, role: 'client', sessionId: kept })),
        ]);
        const left = await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
        const entered = await enter(signInToken);
        expect([left.length, entered.status]).toEqual([0, 412]);
      }
    },
  );
});

test('limits sign-in links per network', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 51; n++)
    statuses.push(
      (await send(production, '/sign-in/link', { token: `x${n}` }, { address: '198.51.100.77' })).status,
    );
  expect(new Set(statuses.slice(0, 50))).toEqual(new Set([412]));
  expect(statuses[50]).toBe(429);
});
