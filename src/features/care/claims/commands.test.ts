import { describe, expect, test } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { createAccount, endLinks, setPassword } from '#/features/accounts/commands.ts';
import { endOtherSessions } from '#/features/accounts/session/commands.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import { bookFor } from '#/features/appointments/on-behalf/commands.ts';
import { cancel } from '#/features/appointments/life-cycle/commands.ts';
import { myAppointments } from '#/features/appointments/appointment/queries.ts';
import { clientView } from '#/features/care/clients/queries.ts';
import { writeNote } from '#/features/care/notes/commands.ts';
import { requireServed } from '../clients/policies.ts';
import { bookNew, changeRecord, inviteClient } from '../clients/commands.ts';
import type { Role } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { calling, claimLink, invitedByMail } from '../../../../tests/support/callers.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../../tests/support/identity.ts';
import { addProvider, type Person } from '../../../../tests/support/people.ts';
import { unlocked } from '../../../../tests/support/words.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { hashOf } from '../../../../tests/support/passwords.ts';
import { acceptClaim, declineClaim, deleteExpiredClaims } from './commands.ts';
import { readClaim } from './queries.ts';
import { blockedConnections } from '../../../../tests/support/locks.ts';

const noon = '2026-03-02T12:00:00Z';
const database = await testDatabase({ now: noon, poolSize: 4 });
const { db, as, setNow, runJobs } = database;
const { production, send, actorOf, userOf } = identitiesOf(database);
const nobody = as({ kind: 'guest' });
const system = as({ kind: 'system' });

const reason = async (attempt: Promise<unknown>) => {
  const { code, reason: why } = await refusalOf(attempt);
  return `${code} ${why}`;
};

async function invited(change: Parameters<typeof calling>[1] = {}) {
  const provider = await addProvider(db);
  const input = await calling(db, change);
  const email = input.client.email!;
  return { provider, input, email, ...(await invitedByMail(database, provider, input)) };
}

async function account(
  email: string,
  { role = 'client', hasPassword = true }: { role?: Role; hasPassword?: boolean } = {},
): Promise<Person> {
  const id = await createAccount(system, { email, name: 'Judith', role, emailVerified: true });
  if (hasPassword) await transact(system, async (tx) => setPassword(tx, id, await hashOf(password)));
  return { kind: 'person', id, role, sessionId: newId() };
}

const sessionsOf = async (person: Person) =>
  myAppointments(as(person), selfOf(as(person)), {
    from: '2026-03-01T00:00:00Z',
    to: '2026-04-30T00:00:00Z',
    order: 'ascending',
    limit: 50,
  });

describe('a person without an account', () => {
  test('gets an account with the session and its record through the link', async () => {
    const { provider, email, token, clientId, appointmentId } = await invited();
    await writeNote(as(provider), 'session', { clientId, text: 'Called about her sister.' });
    expect(await readClaim(nobody, token)).toMatchObject({
      state: 'open',
      offer: { signsIn: true, sessions: [{ startsAt: '2026-03-09T14:00:00Z' }] },
    });
    const { signInToken } = await acceptClaim(nobody, token);
    const { body, cookie } = await send(production, '/sign-in/link', { token: signInToken });
    expect(body).toEqual({ signedIn: true });
    const actor = await actorOf(production, cookie);
    expect(actor).toMatchObject({ id: clientId, role: 'client' });
    expect(await userOf(email)).toMatchObject({ id: clientId, email_verified: true });
    expect(await sessionsOf(actor as Person)).toMatchObject([{ id: appointmentId, status: 'confirmed' }]);
    const view = await clientView(as(provider), await requireServed(as(provider), clientId));
    expect(view).toMatchObject({ record: null, contact: { email } });
    const entries = await db
      .selectFrom('audit_entries')
      .select(['action', 'actor_kind', 'details'])
      .where('action', '=', 'care.client_claimed')
      .where('subject_id', '=', clientId)
      .orderBy('id')
      .execute();
    expect(entries).toMatchObject([{ actor_kind: 'guest', details: { providerId: provider.id } }]);
  });

  test('gets one account, however often and concurrently the link is used', async () => {
    const { token, email } = await invited();
    const answers = await Promise.allSettled([1, 2, 3].map(() => acceptClaim(nobody, token)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await reason(acceptClaim(nobody, token))).toBe('not_found client_invitation');
    expect(await reason(readClaim(nobody, token))).toBe('not_found client_invitation');
    expect(await reason(declineClaim(nobody, token))).toBe('not_found client_invitation');
    const users = await db.selectFrom('users').select('id').where('email', '=', email).execute();
    expect(users).toHaveLength(1);
  });

  test('gets records from several specialists in one account', async () => {
    const email = 'both@callers.example';
    const [one, two] = [
      await invited({ client: { email } }),
      await invited({ client: { email }, startsAt: '2026-03-10T14:00:00Z' }),
    ];
    const answers = await Promise.all(
      [one, two].map(({ token }) => acceptClaim(nobody, token).catch((error: unknown) => error)),
    );
    expect(answers.map((answer) => answer instanceof Error)).toEqual([false, false]);
    const { id } = (await userOf(email))!;
    const sessions = await sessionsOf({ kind: 'person', id, role: 'client', sessionId: newId() });
    expect(sessions.map((session) => session.id)).toEqual([one.appointmentId, two.appointmentId]);
  });
});

describe('a person with an account', () => {
  test('keeps the booking under its key after accepting, though its time is free again', async () => {
    const { provider, input, email, token, clientId, appointmentId } = await invited();
    const owner = await account(email);
    await acceptClaim(as(owner), token);
    await cancel(as(provider), appointmentId);
    const again = await bookNew(as(provider), input);
    expect(again).toMatchObject({ clientId: owner.id, appointments: [{ id: appointmentId }] });
    expect(again.clientId).not.toBe(clientId);
  });

  test('accepts while signed in, merging the record into the account', async () => {
    const { provider, email, token, clientId, appointmentId } = await invited();
    await writeNote(as(provider), 'session', { clientId, text: 'Called about her sister.' });
    await writeNote(await unlocked(as(provider)), 'private', { clientId, text: 'Sounded tired.' });
    const owner = await account(email);
    expect(await readClaim(nobody, token)).toEqual({ state: 'sign_in', offer: null });
    expect(await reason(acceptClaim(nobody, token))).toBe('unauthenticated sign_in_required');
    expect(await sessionsOf(owner)).toEqual([]);
    expect(await acceptClaim(as(owner), token)).toEqual({ signInToken: null });
    expect(await sessionsOf(owner)).toMatchObject([{ id: appointmentId }]);
    expect(await db.selectFrom('users').select('id').where('id', '=', clientId).execute()).toEqual([]);
    for (const table of ['session_notes', 'private_notes'] as const) {
      const notes = await db
        .selectFrom(table)
        .select('client_id')
        .where('provider_id', '=', provider.id)
        .execute();
      expect(notes).toEqual([{ client_id: owner.id }]);
    }
    const reminded = await db
      .selectFrom('reminders')
      .select('person_id')
      .where('appointment_id', '=', appointmentId)
      .where('person_id', '<>', provider.id)
      .execute();
    expect(new Set(reminded.map(({ person_id }) => person_id))).toEqual(new Set([owner.id]));
    await cancel(as(owner), appointmentId);
  });

  test('accepts during another booking by the provider without unexpected errors', async () => {
    const { provider, input, email, token, clientId } = await invited();
    const holder = await account(email);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let locked = () => {};
    const ready = new Promise<void>((resolve) => (locked = resolve));
    const holding = db.transaction().execute(async (tx) => {
      await tx.selectFrom('profiles').select('id').where('id', '=', clientId).forUpdate().execute();
      locked();
      await held;
    });
    await ready;
    const { client: _, ...wanted } = input;
    const again = { ...wanted, idempotencyKey: newId(), clientId, startsAt: '2026-03-10T14:00:00Z' };
    const accepted = acceptClaim(as(holder), token);
    await expect.poll(() => blockedConnections(db)).toBe(1);
    const booked = bookFor(as(provider), again);
    await expect.poll(() => blockedConnections(db)).toBe(2);
    release();
    const ends = await Promise.allSettled([accepted, booked, holding]);
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    expect(failures.filter((why) => !(why instanceof AppError && why.code === 'not_found'))).toEqual([]);
  });

  test('accepts by link alone if they have no password', async () => {
    const { email, token, appointmentId } = await invited();
    const owner = await account(email, { hasPassword: false });
    const { signInToken } = await acceptClaim(nobody, token);
    expect(signInToken).not.toBeNull();
    expect(await sessionsOf(owner)).toMatchObject([{ id: appointmentId }]);
  });

  test('signs in with a newer emailed link after signing out other devices', async () => {
    const { email, token, appointmentId } = await invited();
    const owner = await account(email, { hasPassword: false });
    setNow('2026-03-02T12:01:00Z');
    await endOtherSessions(as(owner));
    expect(await readClaim(nobody, token)).toEqual({ state: 'sign_in', offer: null });
    expect(await reason(acceptClaim(nobody, token))).toBe('unauthenticated sign_in_required');
    expect(await acceptClaim(as(owner), token)).toEqual({ signInToken: null });
    expect(await sessionsOf(owner)).toMatchObject([{ id: appointmentId }]);
    setNow(noon);
  });

  test('isn’t signed in by a link used while they end all links', async () => {
    const { email, token, clientId } = await invited();
    const owner = await account(email, { hasPassword: false });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let ready = () => {};
    const begun = new Promise<void>((resolve) => (ready = resolve));
    const ending = db.transaction().execute(async (tx) => {
      await endLinks(
        { ...system, db: tx, now: () => Temporal.Instant.from('2026-03-02T12:01:00Z') },
        owner.id,
      );
      ready();
      await held;
    });
    await begun;
    const accepted = acceptClaim(nobody, token);
    await expect.poll(() => blockedConnections(db)).toBe(1);
    release();
    await ending;
    expect(await accepted).toEqual({ signInToken: null });
    expect(await db.selectFrom('users').select('id').where('id', '=', clientId).execute()).toEqual([]);
  });

  test('can’t accept a session that overlaps one of theirs', async () => {
    const { input, email, token } = await invited();
    const owner = await account(email);
    const elsewhere = await addProvider(db);
    const { client: _client, outsideHours: _outside, ...wanted } = input;
    await book(as(owner), {
      ...wanted,
      idempotencyKey: newId(),
      providerId: elsewhere.id,
      contact: { name: 'Judith', email },
      reminderMinutes: 60,
      timeZone: 'America/Chicago',
    });
    expect(await reason(acceptClaim(as(owner), token))).toBe('conflict own_clash');
    expect(await sessionsOf(owner)).toHaveLength(1);
    // The claim is unchanged and its link still works.
    expect(await readClaim(as(owner), token)).toMatchObject({ state: 'open' });
  });

  test('is the only one who can accept, even if others have the link', async () => {
    const { email, token } = await invited();
    const stranger = await account(`${newId()}@callers.example`);
    const attempts = async () => {
      expect(await readClaim(as(stranger), token)).toEqual({ state: 'other', offer: null });
      expect(await reason(acceptClaim(as(stranger), token))).toBe('forbidden other_account');
    };
    // Same answer with and without an account at that address.
    await attempts();
    await account(email);
    await attempts();
    expect(await sessionsOf(stranger)).toEqual([]);
    expect(await reason(acceptClaim(as(stranger), 'no-such-link'))).toBe('not_found client_invitation');
  });

  test('can’t accept while suspended or in a role that can’t book', async () => {
    const suspended = await invited();
    const owner = await account(suspended.email, { hasPassword: false });
    await db
      .updateTable('profiles')
      .set({ suspended_at: new Date(noon) })
      .where('id', '=', owner.id)
      .execute();
    expect(await reason(acceptClaim(nobody, suspended.token))).toBe('forbidden account_suspended');
    const served = await invited();
    const counselor = await account(served.email, { role: 'doctor' });
    expect((await refusalOf(acceptClaim(as(counselor), served.token))).code).toBe('forbidden');
    expect(await readClaim(as(counselor), served.token)).toMatchObject({ state: 'open' });
  });
});

describe('a link', () => {
  test('keeps a declined address out of sessions when the specialist corrects the record', async () => {
    const { provider, email, token, clientId, appointmentId } = await invited();
    await declineClaim(nobody, token);
    await changeRecord(as(provider), { clientId, name: 'Naomi Stone', email, phone: '+1 617 555 0199' });
    expect(
      await db
        .selectFrom('appointments')
        .select(['contact_name', 'contact_phone', 'contact_email'])
        .where('id', '=', appointmentId)
        .executeTakeFirstOrThrow(),
    ).toEqual({
      contact_name: 'Naomi Stone',
      contact_phone: '+1 617 555 0199',
      contact_email: `${clientId}@unclaimed.invalid`,
    });
  });

  test('ends with the address it was emailed to, without affecting another', async () => {
    const { provider, token, clientId } = await invited();
    const right = `${newId()}@callers.example`;
    const change = { clientId, name: 'Naomi Weiss', email: right };
    const [changed, accepted] = await Promise.allSettled([
      changeRecord(as(provider), change),
      acceptClaim(nobody, token),
    ]);
    // In either order, links to the old address never open the new one.
    expect([changed.status, accepted.status].filter((one) => one === 'fulfilled')).toHaveLength(1);
    expect((await userOf(right))?.id).toBeUndefined();
  });

  test('expires after thirty days and no longer opens canceled sessions', async () => {
    const { provider, token, clientId, email, appointmentId } = await invited();
    await cancel(as(provider), appointmentId);
    expect(await readClaim(nobody, token)).toMatchObject({ state: 'open', offer: { sessions: [] } });
    setNow('2026-04-01T12:00:00Z');
    expect(await reason(acceptClaim(nobody, token))).toBe('not_found client_invitation');
    await deleteExpiredClaims(system);
    const left = await db.selectFrom('client_claims').selectAll().execute();
    expect(left).toEqual([]);
    // A client who never signs up stays on the provider's list.
    const kept = await clientView(as(provider), await requireServed(as(provider), clientId));
    expect(kept).toMatchObject({ name: 'Naomi Weiss', contact: { email }, record: { email } });
    setNow(noon);
  });

  test('stops emails to an address on request, while the provider keeps the record', async () => {
    const { provider, token, clientId, email, appointmentId } = await invited();
    expect(await declineClaim(nobody, token)).toEqual({ declined: true });
    expect(await reason(acceptClaim(nobody, token))).toBe('not_found client_invitation');
    expect(await reason(inviteClient(as(provider), clientId))).toBe('conflict invitation_declined');
    const mails = () =>
      db.selectFrom('mails').select('id').where('recipient', '=', email).orderBy('id').execute();
    const before = await mails();
    await cancel(as(provider), appointmentId);
    await runJobs();
    expect(await mails()).toEqual(before);
    const view = await clientView(as(provider), await requireServed(as(provider), clientId));
    expect(view).toMatchObject({ name: 'Naomi Weiss', contact: { email: null }, record: { declined: true } });
  });

  test('stops emails to the address even if the record had another, or it is spelled differently', async () => {
    const { provider, token, email, clientId } = await invited();
    await declineClaim(nobody, token);
    const name = 'Naomi Weiss';
    const tagged = email.replace('@', '+again@').toUpperCase();
    for (const address of [`${newId()}@callers.example`, email, tagged]) {
      await changeRecord(as(provider), { clientId, name, email: address });
      expect(
        (await clientView(as(provider), await requireServed(as(provider), clientId))).record,
      ).toMatchObject({
        email: address.toLowerCase(),
        declined: address.toLowerCase().includes(email.split('@')[0]!),
      });
    }
    expect(await reason(inviteClient(as(provider), clientId))).toBe('conflict invitation_declined');
  });

  test('stops emails to the address in every record that the specialist makes with it', async () => {
    const { provider, input, token, email } = await invited();
    const other = await addProvider(db);
    const earlier = await invitedByMail(database, provider, {
      ...input,
      idempotencyKey: newId(),
      startsAt: '2026-03-12T14:00:00Z',
    });
    await declineClaim(nobody, token);
    expect(await reason(readClaim(nobody, earlier.token))).toBe('not_found client_invitation');
    await cancel(as(provider), earlier.appointmentId);
    const mails = () =>
      db.selectFrom('mails').select('id').where('recipient', '=', email).orderBy('id').execute();
    const before = await mails();
    const added = { ...input, idempotencyKey: newId(), startsAt: '2026-03-10T14:00:00Z' };
    const again = await bookNew(as(provider), added);
    expect(await bookNew(as(provider), added)).toMatchObject({ clientId: again.clientId });
    const moved = await bookNew(as(provider), {
      ...added,
      idempotencyKey: newId(),
      startsAt: '2026-03-11T14:00:00Z',
      client: { name: 'Naomi Weiss', phone: '+1 617 555 0100' },
    });
    await changeRecord(as(provider), { clientId: moved.clientId, name: 'Naomi Weiss', email });
    for (const { clientId, appointments } of [again, moved]) {
      const view = await clientView(as(provider), await requireServed(as(provider), clientId));
      expect(view).toMatchObject({ contact: { email: null }, record: { email, declined: true } });
      expect(await reason(inviteClient(as(provider), clientId))).toBe('conflict invitation_declined');
      await cancel(as(provider), appointments[0]!.id);
    }
    await runJobs();
    expect(await mails()).toEqual(before);
    // Another specialist may still invite them.
    await invitedByMail(database, other, { ...input, idempotencyKey: newId() });
    expect(await mails()).toHaveLength(before.length + 1);
  });

  test('from an earlier email works alongside a later one', async () => {
    const { provider, token, clientId, email } = await invited();
    setNow('2026-03-02T12:11:00Z');
    await inviteClient(as(provider), clientId);
    await runJobs();
    expect(await claimLink(database, email)).not.toBe(token);
    await acceptClaim(nobody, token);
    expect(await reason(acceptClaim(nobody, await claimLink(database, email)))).toBe(
      'not_found client_invitation',
    );
    setNow(noon);
  });
});
