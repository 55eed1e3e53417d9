import { describe, expect, test } from 'vitest';
import { eraseAccount } from '#/features/accounts/deletion/commands.ts';
import { myAppointments } from '#/features/appointments/appointment/queries.ts';
import type { Self } from '#/features/access/rules.ts';
import { requireParty } from '#/features/appointments/appointment/policies.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { acceptance, bookCouple, invited, withGuest, type Couple } from '../../../tests/support/guests.ts';
import { addClient, addProvider, type Person } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { appointmentsPersonal } from '#/features/appointments/personal.ts';
import {
  cancel,
  complete,
  confirm,
  decline,
  markNoShow,
  reschedule,
  setReminder,
} from '#/features/appointments/life-cycle/commands.ts';
import { expireUnanswered } from '#/features/appointments/expiry/commands.ts';
import { queueDueReminders } from '#/features/appointments/reminders/commands.ts';
import { invite, withdraw } from './invitations/commands.ts';
import { invitationOf } from './invitations/queries.ts';
import { acceptInvitation } from './answers/commands.ts';
import { leave } from './commands.ts';
import { attendeesPersonal } from './personal.ts';
import { appointmentsAsGuest, guestList, guestSessions, guestsOf } from './queries.ts';
import { requirePartaker } from './policies.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const { db, as, setNow, runJobs, readMails } = database;
const noon = '2026-03-02T12:00:00Z';
const monday = '2026-03-09T14:00:00Z';
const nobody = as({ kind: 'guest' });

const held = async (appointmentId: string) =>
  (
    await db
      .selectFrom('participants')
      .select(['person_id', 'held', 'starts_at'])
      .where('appointment_id', '=', appointmentId)
      .execute()
  ).map((row) => [row.person_id, row.held, row.starts_at.toISOString()]);
const mailsTo = async (person: Person) =>
  (await readMails((rows) => rows.where('recipient', '=', `${person.id}@people.example`))).map(
    ({ subject }) => subject,
  );
const listed = async (person: Person, appointmentId: string) =>
  guestList(as(person), await requireParty(as(person), appointmentId));
const reason = async (attempt: Promise<unknown>) => {
  const { code, reason: why } = await refusalOf(attempt);
  return `${code} ${why}`;
};

describe('accepting an invitation', () => {
  test('reserves the guest’s time, records consent and notifies the client', async () => {
    setNow(noon);
    const { client, guest, appointmentId, token } = await withGuest(database);
    expect(await held(appointmentId)).toContainEqual([guest.id, true, '2026-03-09T14:00:00.000Z']);
    expect(await requirePartaker(as(guest), appointmentId)).toMatchObject({ part: 'guest', consented: true });
    expect((await mailsTo(client)).at(-1)).toBe('Accepted: your invitation for Mon, Mar 9, 10:00 AM EDT');
    expect(await guestsOf(as(client), appointmentId)).toEqual([{ personId: guest.id, name: 'Naomi W.' }]);
    // Accepting twice has no further effect.
    await acceptInvitation(as(guest), acceptance(token));
    expect(await held(appointmentId)).toHaveLength(3);
  });

  test('binds each link to one person, and each person to one link', async () => {
    setNow(noon);
    const couple = await bookCouple(database);
    const [first, second] = [await invited(database, couple), await invited(database, couple)];
    const guest = await addClient(db);
    const rivals = [guest, ...(await Promise.all([addClient(db), addClient(db), addClient(db)]))];
    const ends = await Promise.allSettled(
      rivals.map((one) => acceptInvitation(as(one), acceptance(first.token))),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [winner] = await guestsOf(as(guest), couple.appointmentId);
    const won = rivals.find(({ id }) => id === winner!.personId)!;
    expect(await reason(acceptInvitation(as(won), acceptance(second.token)))).toBe('conflict already_guest');
  });

  test('tells only the guest about a conflicting appointment', async () => {
    setNow(noon);
    const couple = await bookCouple(database);
    const guest = await addClient(db);
    await bookCouple(database, { client: guest, startsAt: '2026-03-09T14:30:00Z' });
    const { token } = await invited(database, couple);
    const refusal = await refusalOf(acceptInvitation(as(guest), acceptance(token)));
    expect([refusal.code, refusal.reason, refusal.data]).toEqual([
      'conflict',
      'own_clash',
      { clashes: [{ startsAt: '2026-03-09T14:30:00Z', endsAt: '2026-03-09T15:30:00Z' }] },
    ]);
    expect(JSON.stringify(await listed(couple.client, couple.appointmentId))).not.toContain(guest.id);
    expect(await held(couple.appointmentId)).toHaveLength(2);
  });

  test('lets a specialist attend as a guest and blocks their time', async () => {
    setNow(noon);
    const other = await addProvider(db, { services: ['couples'] });
    const couple = await bookCouple(database);
    const { token } = await invited(database, couple);
    await acceptInvitation(as(other), acceptance(token));
    expect(await reason(bookCouple(database, { provider: other }))).toBe('conflict slot_taken');
  });

  test('blocks the guest from booking elsewhere at that time', async () => {
    setNow(noon);
    const { guest } = await withGuest(database);
    expect(await reason(bookCouple(database, { client: guest, startsAt: '2026-03-09T14:30:00Z' }))).toBe(
      'conflict own_clash',
    );
  });
});

describe('changing the session', () => {
  test('reschedules guests too, with reminders and notifications', async () => {
    setNow(noon);
    const { client, provider, guest, appointmentId } = await withGuest(database);
    for (const [person, startsAt] of [
      [client, '2026-03-10T14:00:00Z'],
      [provider, '2026-03-11T15:00:00Z'],
    ] as const) {
      await reschedule(as(person), appointmentId, startsAt);
      const times = (await held(appointmentId)).map(([, , at]) => at);
      expect(times).toEqual(Array.from({ length: 3 }, () => new Date(startsAt).toISOString()));
    }
    const reminders = await db
      .selectFrom('reminders')
      .select(['person_id', 'kind', 'due_at'])
      .where('appointment_id', '=', appointmentId)
      .where('person_id', '=', guest.id)
      .execute();
    expect(reminders).toEqual([
      { person_id: guest.id, kind: 'site', due_at: new Date('2026-03-11T14:00:00Z') },
    ]);
    await setReminder(as(client), appointmentId, 60);
    await runJobs();
    setNow('2026-03-11T14:00:00Z');
    await queueDueReminders(as({ kind: 'job', name: 'reminders' }));
    await runJobs();
    // Each email shows the time current when it's written.
    expect(await mailsTo(guest)).toEqual([
      'iTalk Health session rescheduled: Wed, Mar 11, 11:00 AM EDT',
      'iTalk Health session rescheduled: Wed, Mar 11, 11:00 AM EDT',
      'Reminder: iTalk Health session Wed, Mar 11, 11:00 AM EDT',
    ]);
  });

  test('fails if a guest is busy, without revealing who or why', async () => {
    setNow(noon);
    const { client, provider, guest, appointmentId } = await withGuest(database);
    await bookCouple(database, { client: guest, startsAt: '2026-03-10T14:00:00Z' });
    for (const person of [client, provider]) {
      const refusal = await refusalOf(reschedule(as(person), appointmentId, '2026-03-10T14:30:00Z'));
      expect([refusal.code, refusal.reason]).toEqual(['conflict', 'not_free']);
      expect(Object.keys(refusal.data)).toEqual(['nextFreeStarts']);
      expect(refusal.data.nextFreeStarts).toHaveLength(5);
      expect(refusal.data.nextFreeStarts).not.toContain('2026-03-10T14:30:00Z');
      expect(JSON.stringify(refusal)).not.toContain(guest.id);
    }
    expect((await held(appointmentId)).map(([, , at]) => at)).toEqual(
      Array.from({ length: 3 }, () => '2026-03-09T14:00:00.000Z'),
    );
    // Overlaps its own current time by half an hour, which isn't a clash.
    await reschedule(as(client), appointmentId, '2026-03-09T14:30:00Z');
  });

  test.each([
    ['cancelled', async ({ client, appointmentId }: Couple) => cancel(as(client), appointmentId)],
    [
      'completed',
      async ({ provider, appointmentId }: Couple) => {
        setNow('2026-03-09T14:30:00Z');
        await complete(as(provider), appointmentId);
      },
    ],
    [
      'missed',
      async ({ provider, appointmentId }: Couple) => {
        setNow('2026-03-09T14:30:00Z');
        await markNoShow(as(provider), appointmentId);
      },
    ],
  ] as const)('frees guests’ time once the session is %s', async (what, end) => {
    setNow(noon);
    const session = await withGuest(database);
    await db.deleteFrom('mails').execute();
    await end(session);
    expect((await held(session.appointmentId)).map(([, isHeld]) => isHeld)).toEqual([false, false, false]);
    await runJobs();
    expect(await mailsTo(session.guest)).toHaveLength(what === 'cancelled' ? 1 : 0);
    expect(await guestSessions(as(session.guest), session.guest.id as Self)).toEqual([]);
    await bookCouple(database, { client: session.guest, startsAt: '2026-03-16T14:00:00Z' });
  });

  test.each([
    ['declined', async ({ provider, appointmentId }: Couple) => decline(as(provider), appointmentId)],
    [
      'left unanswered',
      async () => {
        setNow(monday);
        await expireUnanswered(as({ kind: 'job', name: 'expire' }));
      },
    ],
  ] as const)('frees guests’ time when the session is %s', async (_, end) => {
    setNow(noon);
    const provider = await addProvider(db, { services: ['couples'], approvesFirst: true });
    const session = await withGuest(database, await bookCouple(database, { provider }));
    const [own] = await guestSessions(as(session.guest), session.guest.id as Self);
    expect(own?.status).toBe('pending');
    await end(session);
    expect((await held(session.appointmentId)).map(([, isHeld]) => isHeld)).toEqual([false, false, false]);
  });

  test('notifies guests of a confirmation', async () => {
    setNow(noon);
    const provider = await addProvider(db, { services: ['couples'], approvesFirst: true });
    const session = await withGuest(database, await bookCouple(database, { provider }));
    await db.deleteFrom('mails').execute();
    await confirm(as(provider), session.appointmentId);
    await runJobs();
    expect(await mailsTo(session.guest)).toHaveLength(1);
  });
});

describe('leaving and withdrawing', () => {
  test('frees the guest’s time, notifies the client and closes the room', async () => {
    setNow(noon);
    const { client, guest, appointmentId, token } = await withGuest(database);
    expect(await leave(as(guest), appointmentId)).toEqual([]);
    await runJobs();
    expect((await mailsTo(client)).at(-1)).toContain('Not coming after all');
    expect(await held(appointmentId)).toHaveLength(2);
    expect(await reason(requirePartaker(as(guest), appointmentId))).toBe('not_found appointment');
    expect(await reason(leave(as(guest), appointmentId))).toBe('not_found appointment');
    expect((await invitationOf(as(guest), token)).state).toBe('left');
    const reminders = await db
      .selectFrom('reminders')
      .select('id')
      .where('person_id', '=', guest.id)
      .execute();
    expect(reminders).toEqual([]);
    await bookCouple(database, { client: guest });
  });

  test('withdraws an accepted invitation and emails the guest', async () => {
    setNow(noon);
    const { client, guest, guestId, appointmentId } = await withGuest(database);
    await withdraw(as(client), guestId);
    await withdraw(as(client), guestId);
    await runJobs();
    expect((await mailsTo(guest)).filter((subject) => subject.includes('withdrawn'))).toHaveLength(1);
    expect(await held(appointmentId)).toHaveLength(2);
    expect(await reason(requirePartaker(as(guest), appointmentId))).toBe('not_found appointment');
    expect(await reason(withdraw(as(guest), guestId))).toBe('not_found guest');
  });

  test('works only before the session, keeping attendance and consent records', async () => {
    setNow(noon);
    const { client, guest, guestId, appointmentId } = await withGuest(database);
    setNow('2026-03-09T15:00:00Z');
    expect(await reason(leave(as(guest), appointmentId))).toBe('conflict invitation_over');
    expect(await reason(withdraw(as(client), guestId))).toBe('conflict invitation_over');
    const agreed = await db
      .selectFrom('session_consents')
      .select('person_id')
      .where('appointment_id', '=', appointmentId)
      .execute();
    expect(agreed.map((row) => row.person_id).toSorted()).toEqual([client.id, guest.id].toSorted());
    expect(await held(appointmentId)).toHaveLength(3);
    expect((await listed(client, appointmentId)).guests).toMatchObject([{ state: 'accepted' }]);
  });
});

describe('visibility', () => {
  test('shows clients the address they typed, providers names and states, guests names', async () => {
    setNow(noon);
    const { client, provider, guest, appointmentId } = await withGuest(database);
    const second = await invited(database, { client, provider, appointmentId });
    const other = await addClient(db);
    await acceptInvitation(as(other), { ...acceptance(second.token), name: 'Tirzah' });
    const ofClient = await listed(client, appointmentId);
    expect(ofClient.guests.map(({ name, state }) => [name, state])).toEqual([
      ['Naomi W.', 'accepted'],
      ['Tirzah', 'accepted'],
    ]);
    expect(ofClient.guests[1]!.email).toBe(second.email);
    const ofProvider = await listed(provider, appointmentId);
    expect(ofProvider.guests.map(({ name, email }) => [name, email])).toEqual([
      ['Naomi W.', null],
      ['Tirzah', null],
    ]);
    expect(ofProvider).toMatchObject({ places: 0 });
    const [seen] = await guestSessions(as(guest), guest.id as Self);
    expect(Object.keys(seen!).toSorted()).toEqual([
      'appointmentId',
      'endsAt',
      'others',
      'ownName',
      'provider',
      'sequence',
      'sessionType',
      'startsAt',
      'status',
      'timeZone',
    ]);
    expect(seen).toMatchObject({ ownName: 'Naomi W.', others: [`Person ${client.id.slice(-6)}`, 'Tirzah'] });
    for (const words of [seen, ofClient, ofProvider].map((one) => JSON.stringify(one))) {
      expect(words).not.toContain(guest.id);
      expect(words).not.toContain(other.id);
      expect(words).not.toContain('@people.example');
    }
  });

  test('keeps the session out of the guest’s own lists and actions', async () => {
    setNow(noon);
    const { guest, appointmentId } = await withGuest(database);
    const all = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z', limit: 50 };
    expect(await myAppointments(as(guest), guest.id as Self, all)).toEqual([]);
    const asked = { appointmentId, name: 'N', email: 'n@guests.example', agreed: true };
    for (const attempt of [
      () => requireParty(as(guest), appointmentId),
      () => cancel(as(guest), appointmentId),
      () => reschedule(as(guest), appointmentId, '2026-03-10T14:00:00Z'),
      () => setReminder(as(guest), appointmentId, 60),
      () => invite(as(guest), asked),
    ])
      expect(await reason(attempt())).toBe('not_found appointment');
  });

  test('blocks invitations and guest access while the feature is off', async () => {
    setNow(noon);
    const session = await withGuest(database);
    const { token } = await invited(database, session);
    const { guest, client, appointmentId } = session;
    await db
      .updateTable('feature_flags')
      .set({ enabled: false })
      .where('id', '=', 'group_sessions')
      .execute();
    try {
      const asked = { appointmentId, name: 'N', email: 'off@guests.example', agreed: true };
      expect(await reason(invite(as(client), asked))).toBe('not_found feature_off');
      expect(await reason(listed(client, appointmentId))).toBe('not_found feature_off');
      expect(await reason(invitationOf(nobody, token))).toBe('not_found feature_off');
      expect(await reason(requirePartaker(as(guest), appointmentId))).toBe('not_found appointment');
      expect(await guestSessions(as(guest), guest.id as Self)).toEqual([]);
      expect((await requirePartaker(as(client), appointmentId)).part).toBe('client');
    } finally {
      await db
        .updateTable('feature_flags')
        .set({ enabled: true })
        .where('id', '=', 'group_sessions')
        .execute();
    }
  });
});

describe('account deletion', () => {
  test('removes a guest from the session, and a client’s invitee addresses with the client', async () => {
    setNow(noon);
    const parts = [attendeesPersonal, appointmentsPersonal({ asGuest: appointmentsAsGuest })];
    const job = as({ kind: 'job', name: 'personal.erase' });
    const left = await withGuest(database);
    const due = { delete_after: new Date('2026-03-02T11:00:00Z') };
    await db.updateTable('profiles').set(due).where('id', 'in', [left.guest.id]).execute();
    await eraseAccount(job, left.guest.id, parts);
    await runJobs();
    expect(await held(left.appointmentId)).toHaveLength(2);
    expect(
      (await listed(left.client, left.appointmentId)).guests.map((one) => [one.name, one.email, one.state]),
    ).toEqual([['Deleted account', null, 'left']]);
    expect((await mailsTo(left.client)).at(-1)).toContain('Not coming after all');

    const gone = await withGuest(database);
    await invited(database, gone);
    await db.updateTable('profiles').set(due).where('id', 'in', [gone.client.id]).execute();
    await eraseAccount(job, gone.client.id, parts);
    expect((await held(gone.appointmentId)).map(([, isHeld]) => isHeld)).toEqual([false, false, false]);
    const rows = await db
      .selectFrom('session_guests')
      .select(['email', 'person_id'])
      .where('appointment_id', '=', gone.appointmentId)
      .execute();
    expect(rows).toEqual([{ email: null, person_id: gone.guest.id }]);
  });

  test('cancels no guest’s place in a past session', async () => {
    setNow(noon);
    const { client, guest } = await withGuest(database);
    const before = await mailsTo(client);
    setNow('2026-03-10T12:00:00Z');
    await db
      .updateTable('profiles')
      .set({ delete_after: new Date(noon) })
      .where('id', '=', guest.id)
      .execute();
    await eraseAccount(as({ kind: 'job', name: 'personal.erase' }), guest.id, [attendeesPersonal]);
    await runJobs();
    expect(await mailsTo(client)).toEqual(before);
  });
});
