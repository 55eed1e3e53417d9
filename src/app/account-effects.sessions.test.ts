import { beforeEach, describe, expect, test } from 'vitest';
import { reactivateUser, suspendUser } from '#/features/accounts/account-status/commands.ts';
import type { SessionPlan } from '#/features/accounts/users/contract.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import type { BookInput } from '#/features/appointments/booking/contract.ts';
import { cancel } from '#/features/appointments/life-cycle/commands.ts';
import {
  lockSessions,
  viewHandover,
  restoreApproval,
  revokeApproval,
} from '#/features/appointments/handover/commands.ts';
import { appointmentsWithGuests } from '#/features/attendees/queries.ts';
import { bookNew } from '#/features/care/clients/commands.ts';
import { requireSpecialist, requireSpecialistPage } from '#/features/providers/policies.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { bookInputFor } from '../../tests/support/booking.ts';
import { testDatabase } from '../../tests/support/database.ts';
import { calling } from '../../tests/support/callers.ts';
import { withGuest } from '../../tests/support/guests.ts';
import {
  addAdministrator,
  addClient,
  addProvider,
  addService,
  sixtyMinutes,
  type Person,
} from '../../tests/support/people.ts';
import { accountEffects } from './account-effects.ts';
import { blockedConnections } from '../../tests/support/locks.ts';

const database = await testDatabase({ now: '2026-02-16T12:00:00Z', poolSize: 10 });
const { db, as, runJobs, readMails } = database;
const service = await sixtyMinutes(db);
const effects = accountEffects({ adminEmails: [], appUrl: 'https://italk.example' });
const chief = await addAdministrator(db);
const other = await addAdministrator(db);

const hours = ['14:00', '15:30', '19:00', '20:30'].map((time) => `2026-02-23T${time}:00Z`);

let specialist: Person;
let colleague: Person;
let client: Person;
beforeEach(async () => {
  await db.updateTable('providers').set({ listed: false }).execute();
  [specialist, colleague, client] = [await addProvider(db), await addProvider(db), await addClient(db)];
});

const bookWith = async (
  provider: Person,
  startsAt: string,
  { who = client, ...change }: Partial<BookInput> & { who?: Person } = {},
) => {
  const { appointments } = await book(
    as(who),
    bookInputFor(provider.id, service, startsAt, {
      sessions: 2,
      contact: { name: 'Typed for them', email: 'typed@people.example', phone: '+1 617 555 0100' },
      reminderMinutes: 60,
      ...change,
    }),
  );
  return appointments;
};
const rowOf = (id: string) =>
  db.selectFrom('appointments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const heldWith = (provider: Person) =>
  db
    .selectFrom('appointments')
    .selectAll()
    .where('provider_id', '=', provider.id)
    .where('status', 'in', ['pending', 'confirmed'])
    .orderBy('starts_at')
    .execute();
const reminded = (id: string) =>
  db.selectFrom('reminders').select('person_id').where('appointment_id', '=', id).execute();
const planOf = async (
  of: Person,
  decide: (id: string) => Pick<SessionPlan[number], 'outcome' | 'providerId'>,
) => {
  const { sessions } = await viewHandover(as(chief), of.id, appointmentsWithGuests);
  return sessions.map(({ id, sequence }) => ({ appointmentId: id, sequence, ...decide(id) }));
};
const all = (outcome: 'keep' | 'cancel') => () => ({ outcome });
const toColleague = () => ({ outcome: 'reassign' as const, providerId: colleague.id });
const suspend = (sessions: SessionPlan, who = chief) =>
  suspendUser(as(who), effects, { userId: specialist.id, reason: 'conduct', sessions });
const isSuspended = async () =>
  (
    await db
      .selectFrom('profiles')
      .select('suspended_at')
      .where('id', '=', specialist.id)
      .executeTakeFirstOrThrow()
  ).suspended_at !== null;
const mailsTo = async ({ id }: Person) => {
  const mails = await readMails((rows) => rows.where('recipient', '=', `${id}@people.example`));
  return (
    mails
      .filter(({ kind }) => kind !== 'reminder')
      .map(({ subject, text_body }) => ({ subject, text: text_body ?? '' }))
      // Different jobs may send them in any order.
      .toSorted((a, b) => a.subject.localeCompare(b.subject))
  );
};
/** Runs `work` under the specialist's diary lock once `wait` is blocked on that lock. */
async function meanwhile<T>(
  wait: () => Promise<T>,
  work: (tx: Parameters<typeof lockSessions>[0]) => Promise<unknown>,
) {
  let waiting: Promise<PromiseSettledResult<T>[]>;
  await transact(as(chief), async (tx) => {
    await lockSessions(tx, specialist.id, [], appointmentsWithGuests);
    waiting = Promise.allSettled([wait()]);
    await expect.poll(() => blockedConnections(db)).toBe(1);
    await work(tx);
  });
  return (await waiting!)[0]!;
}

describe('suspending a specialist', () => {
  test('keeps, cancels or reassigns each session as decided, and notifies each client once', async () => {
    const kept = (await bookWith(specialist, hours[0]!))[0]!;
    const cancelled = [
      ...(await bookWith(specialist, hours[1]!)),
      ...(await bookWith(specialist, hours[2]!)),
    ];
    const [moved] = await bookWith(specialist, hours[3]!);
    await db.updateTable('services').set({ price_cents: 99_900 }).where('id', '=', service).execute();
    await runJobs();
    await db.deleteFrom('mails').execute();
    const plan = await planOf(specialist, (id) => {
      if (id === kept.id) return { outcome: 'keep' };
      return id === moved!.id ? toColleague() : { outcome: 'cancel' };
    });
    await suspend(plan);
    await db.updateTable('services').set({ price_cents: 10_000 }).where('id', '=', service).execute();
    expect(await rowOf(kept.id)).toMatchObject({ status: 'confirmed', sequence: 0 });
    for (const { id } of [...cancelled, moved!]) {
      expect(await rowOf(id)).toMatchObject({ status: 'cancelled', cancelled_by: chief.id });
      expect(await reminded(id)).toEqual([]);
    }
    const [held, ...more] = await heldWith(colleague);
    expect(more).toEqual([]);
    expect(held).toMatchObject({
      client_id: client.id,
      status: 'confirmed',
      kind: 'consultation',
      starts_at: new Date(hours[3]!),
      price_cents: 10_000,
      // Details given to the previous specialist stay with them.
      contact_email: `${client.id}@people.example`,
      contact_phone: null,
      client_time_zone: 'America/Chicago',
    });
    expect((await reminded(held!.id)).map(({ person_id }) => person_id)).toContain(client.id);
    await runJobs();
    const told = await mailsTo(client);
    expect(told.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('2 iTalk Health sessions canceled'),
      expect.stringContaining('iTalk Health session changed'),
    ]);
    expect(told[0]!.text).toContain('https://italk.example/therapists');
    expect(told[0]!.text).not.toMatch(new RegExp(`suspend|${specialist.id.slice(-6)}`, 'i'));
    expect(told[1]!.text).toContain('for the same price');
    expect((await mailsTo(colleague)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('session changed'),
    ]);
    expect((await mailsTo(specialist)).map(({ subject }) => subject).toSorted()).toEqual([
      expect.stringContaining('3 iTalk Health sessions canceled'),
      'Your iTalk Health account is suspended',
    ]);
  });

  test('removes a reassigned session from the client’s calendar, even if its replacement is canceled at once', async () => {
    const [moved] = await bookWith(specialist, hours[0]!);
    await runJobs();
    await db.deleteFrom('mails').execute();
    await suspend(await planOf(specialist, toColleague));
    const [held] = await heldWith(colleague);
    await cancel(as(client), held!.id);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', `${client.id}@people.example`));
    const files = mails.flatMap(({ attachments }) => attachments.map(({ content }) => content));
    for (const { id } of [moved!, held!])
      expect(files.filter((file) => file.includes(id))).toEqual([expect.stringContaining('METHOD:CANCEL')]);
  });

  test('passes on no private notes, and a phone number only for phone sessions', async () => {
    await db
      .updateTable('providers')
      .set({ session_types: ['online', 'phone'] })
      .where('id', 'in', [specialist.id, colleague.id])
      .execute();
    const [moved] = await bookWith(specialist, hours[0]!, { sessionType: 'phone' });
    await db
      .insertInto('private_notes')
      .values({
        id: newId(),
        provider_id: specialist.id,
        client_id: client.id,
        appointment_id: moved!.id,
        text: 'sealed',
        written_at: new Date(),
        changed_at: null,
      })
      .execute();
    await suspend(await planOf(specialist, toColleague));
    const notes = await db.selectFrom('private_notes').select(['provider_id', 'appointment_id']).execute();
    expect(notes).toEqual([{ provider_id: specialist.id, appointment_id: moved!.id }]);
    expect(await heldWith(colleague)).toMatchObject([{ contact_phone: '+1 617 555 0100' }]);
  });

  test('keeps a series together with one specialist, and asks those who approve first', async () => {
    await db.updateTable('providers').set({ approves_first: true }).where('id', '=', colleague.id).execute();
    await bookWith(specialist, hours[0]!, { recurrence: 'weekly', sessions: 3 });
    await suspend(await planOf(specialist, toColleague));
    const held = await heldWith(colleague);
    expect(held.map((row) => [row.series_index, row.series_count, row.status])).toEqual([
      [1, 3, 'pending'],
      [2, 3, 'pending'],
      [3, 3, 'pending'],
    ]);
    expect(new Set(held.map(({ booking_id }) => booking_id)).size).toBe(1);
  });

  test('requires a decision about every current session, or changes nothing', async () => {
    const [seen] = await bookWith(specialist, hours[0]!);
    await expect(suspend([])).rejects.toMatchObject({ code: 'conflict', reason: 'sessions_changed' });
    const plan = await planOf(specialist, all('cancel'));
    await expect(suspend(plan.map((one) => ({ ...one, sequence: 7 })))).rejects.toMatchObject({
      reason: 'sessions_changed',
    });
    await expect(suspend([...plan, ...plan])).rejects.toMatchObject({ reason: 'sessions_changed' });
    await bookWith(specialist, hours[1]!);
    await expect(suspend(plan)).rejects.toMatchObject({ reason: 'sessions_changed' });
    for (const providerId of [undefined, specialist.id, client.id])
      await expect(
        suspend(await planOf(specialist, () => ({ outcome: 'reassign', providerId }))),
      ).rejects.toMatchObject({ code: 'invalid', fields: [{ reason: 'not_reassignable' }] });
    expect(await rowOf(seen!.id)).toMatchObject({ status: 'confirmed' });
    expect(await isSuspended()).toBe(false);
  });

  test('rejects a booking made while the suspension runs', async () => {
    const booking = await meanwhile(
      () => bookWith(specialist, hours[0]!),
      (tx) => suspendUser(tx, effects, { userId: specialist.id, reason: 'safety', sessions: [] }),
    );
    expect(booking).toMatchObject({
      status: 'rejected',
      reason: { code: 'not_found', reason: 'specialist' },
    });
    expect(await heldWith(specialist)).toEqual([]);
  });

  test('leaves no session undecided when a client books at the same time', async () => {
    for (let round = 0; round < 6; round++) {
      specialist = await addProvider(db);
      const [booked, suspended] = await Promise.allSettled([
        bookWith(specialist, hours[0]!, { who: await addClient(db) }),
        suspend([]),
      ]);
      const held = await heldWith(specialist);
      expect([booked.status, suspended.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(held).toHaveLength(booked.status === 'fulfilled' ? 1 : 0);
      expect(await isSuspended()).toBe(suspended.status === 'fulfilled');
    }
  });

  test('happens once when two administrators act together', async () => {
    await bookWith(specialist, hours[0]!);
    await runJobs();
    await db.deleteFrom('mails').execute();
    const plan = await planOf(specialist, all('cancel'));
    const answers = await Promise.all([suspend(plan), suspend(plan, other)]);
    expect(answers.map(({ status }) => status)).toEqual(['suspended', 'suspended']);
    await runJobs();
    expect(await mailsTo(client)).toHaveLength(1);
  });

  test('changes nothing and names the session when its new time was just booked', async () => {
    const [moved] = await bookWith(specialist, hours[0]!);
    const plan = await planOf(specialist, toColleague);
    await bookWith(colleague, hours[0]!, { who: await addClient(db) });
    await expect(suspend(plan)).rejects.toMatchObject({
      code: 'conflict',
      reason: 'reassign_taken',
      data: { appointmentId: moved!.id },
    });
    expect(await rowOf(moved!.id)).toMatchObject({ status: 'confirmed' });
    expect(await isSuspended()).toBe(false);
    for (let round = 0; round < 6; round++) {
      const day = `2026-03-0${2 + (round % 4)}T1${5 + Math.floor(round / 4)}:00:00Z`;
      [specialist, colleague] = [await addProvider(db), await addProvider(db)];
      await bookWith(specialist, day, { who: await addClient(db) });
      const wanted = await planOf(specialist, toColleague);
      const ends = await Promise.allSettled([
        bookWith(colleague, day, { who: await addClient(db) }),
        suspend(wanted),
      ]);
      expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await heldWith(colleague)).toHaveLength(1);
    }
  });

  test('keeps canceled sessions canceled after reactivation', async () => {
    const [gone] = await bookWith(specialist, hours[0]!);
    await suspend(await planOf(specialist, all('cancel')));
    await reactivateUser(as(chief), effects, specialist.id);
    expect(await rowOf(gone!.id)).toMatchObject({ status: 'cancelled' });
    expect(await bookWith(specialist, hours[0]!)).toHaveLength(1);
  });
});

describe('a client without an account', () => {
  test.each(['cancel', 'reassign'] as const)('gets an email with a claim link: %s', async (outcome) => {
    const input = await calling(db, { startsAt: hours[0]! });
    await bookNew(as(specialist), input);
    await runJobs();
    await db.deleteFrom('mails').execute();
    await suspend(
      await planOf(specialist, () => ({
        outcome,
        ...(outcome === 'reassign' ? { providerId: colleague.id } : {}),
      })),
    );
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', input.client.email!));
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text_body).toContain('/client-invitation#');
  });
});

describe('affected sessions', () => {
  const takers = async () => {
    const { sessions } = await viewHandover(as(chief), specialist.id, appointmentsWithGuests);
    return sessions.map((one) => one.takers.map(({ id }) => id));
  };

  test('name specialists offering the same service and free at that time', async () => {
    await bookWith(specialist, hours[0]!);
    expect(await takers()).toEqual([[colleague.id]]);
    const [busy, hidden, elsewhere] = [
      await addProvider(db),
      await addProvider(db, { listed: false }),
      await addProvider(db, {
        services: [await addService(db, { id: 'other-care', durationMinutes: 60, priceCents: 1 })],
      }),
    ];
    await bookWith(busy, hours[0]!, { who: await addClient(db) });
    const found = (await takers()).flat();
    for (const { id } of [busy, hidden, elsewhere]) expect(found).not.toContain(id);
  });

  test('name no replacement for in-person sessions and sessions with guests', async () => {
    await db
      .updateTable('providers')
      .set({ session_types: ['online', 'in-person'] })
      .where('id', 'in', [specialist.id, colleague.id])
      .execute();
    await bookWith(specialist, hours[0]!, { sessionType: 'in-person' });
    expect(await takers()).toEqual([[]]);
    const couple = await withGuest(database);
    specialist = couple.provider;
    await addProvider(db, { services: ['couples'] });
    expect(await takers()).toEqual([[]]);
    await expect(suspend(await planOf(specialist, toColleague))).rejects.toMatchObject({
      reason: 'sessions_changed',
    });
  });

  test('are visible only to administrators, and viewing them is logged', async () => {
    await bookWith(specialist, hours[0]!);
    for (const who of [client, specialist])
      await expect(viewHandover(as(who), specialist.id, appointmentsWithGuests)).rejects.toMatchObject({
        code: 'forbidden',
      });
    const { sessions } = await viewHandover(as(chief), specialist.id, appointmentsWithGuests);
    expect(sessions).toMatchObject([
      { client: `Person ${client.id.slice(-6)}`, sessionType: 'online', startsAt: hours[0] },
    ]);
    const noted = await db
      .selectFrom('audit_entries')
      .select('actor_id')
      .where('action', '=', 'booking.searched')
      .where('subject_id', '=', specialist.id)
      .orderBy('id')
      .execute();
    expect(noted).toEqual([{ actor_id: chief.id }]);
  });
});

describe('revoking an approval', () => {
  const revoke = async (sessions?: SessionPlan, who = chief) =>
    revokeApproval(
      as(who),
      {
        providerId: specialist.id,
        reason: 'The board withdrew the license.',
        sessions: sessions ?? (await planOf(specialist, all('cancel'))),
      },
      appointmentsWithGuests,
    );
  const isListed = () =>
    requireSpecialist(as({ kind: 'guest' }), specialist.id).then(
      () => true,
      () => false,
    );
  const publicPage = async () => {
    const { slug } = await db
      .selectFrom('providers')
      .select('slug')
      .where('id', '=', specialist.id)
      .executeTakeFirstOrThrow();
    return requireSpecialistPage(as({ kind: 'guest' }), slug);
  };

  test('hides the specialist, settles and notifies about their sessions, and can be reversed', async () => {
    const [gone] = await bookWith(specialist, hours[0]!);
    await runJobs();
    await db.deleteFrom('mails').execute();
    await revoke();
    expect(await isListed()).toBe(false);
    await expect(publicPage()).rejects.toMatchObject({ code: 'not_found' });
    expect(await rowOf(gone!.id)).toMatchObject({ status: 'cancelled' });
    await expect(bookWith(specialist, hours[1]!)).rejects.toMatchObject({ code: 'not_found' });
    expect(await viewHandover(as(chief), specialist.id, appointmentsWithGuests)).toMatchObject({
      revoked: { reason: 'The board withdrew the license.' },
      sessions: [],
    });
    await runJobs();
    const mails = await mailsTo(specialist);
    expect(mails.map(({ subject }) => subject)).toContain('Your iTalk Health approval');
    expect(mails.map(({ text }) => text).join()).not.toContain('withdrew');
    await restoreApproval(as(chief), specialist.id);
    expect(await isListed()).toBe(true);
    expect(await publicPage()).toMatchObject({ id: specialist.id });
    expect(await rowOf(gone!.id)).toMatchObject({ status: 'cancelled' });
    const noted = await db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id'])
      .where('subject_id', '=', specialist.id)
      .where('action', 'like', 'provider.approval_%')
      .orderBy('id')
      .execute();
    expect(noted).toEqual([
      { action: 'provider.approval_revoked', actor_id: chief.id },
      { action: 'provider.approval_restored', actor_id: chief.id },
    ]);
  });

  test('happens once when two administrators act together, and requires one', async () => {
    await expect(revoke([], client)).rejects.toMatchObject({ code: 'forbidden' });
    const ends = await Promise.allSettled([revoke([]), revoke([], other)]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(revoke([])).rejects.toMatchObject({ reason: 'already_revoked' });
    await restoreApproval(as(chief), specialist.id);
    await expect(restoreApproval(as(chief), specialist.id)).rejects.toMatchObject({ reason: 'not_revoked' });
    await expect(restoreApproval(as(chief), newId())).rejects.toMatchObject({ code: 'not_found' });
  });

  test('outlasts a suspension and reactivation', async () => {
    await revoke();
    await suspend([]);
    await reactivateUser(as(chief), effects, specialist.id);
    expect(await isListed()).toBe(false);
    await restoreApproval(as(chief), specialist.id);
    expect(await isListed()).toBe(true);
  });

  test('rejects a booking made while it runs', async () => {
    const booking = await meanwhile(
      () => bookWith(specialist, hours[0]!),
      (tx) =>
        revokeApproval(
          tx,
          { providerId: specialist.id, reason: 'Safety.', sessions: [] },
          appointmentsWithGuests,
        ),
    );
    expect(booking).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
  });
});
