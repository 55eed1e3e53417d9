import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, sixtyMinutes, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { book } from '../booking/commands.ts';
import { freeStarts, startsForBoth } from '../free-starts/queries.ts';
import { cancel } from '../life-cycle/commands.ts';
import { myAppointments } from '../appointment/queries.ts';
import { selfOf } from '#/features/access/rules.ts';
import { cancelAdministered, findAppointments, rescheduleAdministered } from './commands.ts';
import type { AppointmentSearch } from './contract.ts';

const now = '2026-02-16T12:00:00Z';
const database = await testDatabase({ now, poolSize: 8 });
const { db, as, runJobs, readMails } = database;
const service = await sixtyMinutes(db);
const admin = as({ ...(await addClient(db)), role: 'super_admin' });
const other = as({ ...(await addClient(db)), role: 'super_admin' });
const at = '2026-02-23T20:00:00Z';
const later = '2026-02-24T20:00:00Z';

beforeEach(() => database.setNow(now));

async function named(person: Person, name: string): Promise<Person> {
  await db.updateTable('users').set({ name }).where('id', '=', person.id).execute();
  return person;
}

async function booked(terms: { approvesFirst?: boolean; startsAt?: string } = {}) {
  const [client, provider] = [await addClient(db), await addProvider(db, terms)];
  const { appointments } = await book(
    as(client),
    bookInputFor(provider.id, service, terms.startsAt ?? at, {
      contact: { name: 'As typed', email: 'typed@people.example' },
    }),
  );
  return { client, provider, id: appointments[0]!.id };
}

function wanted(search: Partial<AppointmentSearch>): AppointmentSearch {
  return { order: 'soonest', limit: 25, ...search };
}

async function found(search: Partial<AppointmentSearch>): Promise<string[]> {
  return (await findAppointments(admin, wanted(search))).appointments.map(({ id }) => id);
}

async function noted(action: string) {
  return db
    .selectFrom('audit_entries')
    .select(['actor_id', 'subject_id', 'category', 'details'])
    .where('action', '=', action)
    .orderBy('id')
    .execute();
}

describe('appointments', () => {
  test('are found by person, status, day and id, without showing any notes', async () => {
    const { client, provider, id } = await booked();
    await named(client, 'Tirzah Quill');
    await named(provider, 'Dr. Oren Vale');
    await db.updateTable('users').set({ email: 'quill@found.example' }).where('id', '=', client.id).execute();
    for (const search of [
      { words: 'QUILL' },
      { words: 'tirzah qui' },
      { words: 'quill@found.example' },
      { words: 'oren vale' },
      { appointmentId: id },
      { personId: client.id },
      { personId: provider.id },
      { words: 'quill', status: 'confirmed' as const },
      { words: 'quill', from: '2026-02-23', to: '2026-02-23' },
      { words: 'quill', personId: provider.id, order: 'latest' as const },
    ])
      expect(await found(search), JSON.stringify(search)).toEqual([id]);
    for (const search of [
      { words: 'quill', status: 'cancelled' as const },
      { words: 'quill', from: '2026-02-24' },
      { words: 'quill', to: '2026-02-22', order: 'latest' as const },
      { words: 'nobody of that name' },
      { words: 'typed' },
      { words: '%%' },
      { appointmentId: newId() },
    ])
      expect(await found(search), JSON.stringify(search)).toEqual([]);
    const { appointments } = await findAppointments(admin, wanted({ appointmentId: id }));
    expect(appointments).toEqual([
      {
        id,
        status: 'confirmed',
        expired: false,
        sessionType: 'online',
        startsAt: at,
        endsAt: '2026-02-23T21:00:00Z',
        durationMinutes: 60,
        seriesIndex: 1,
        seriesCount: 1,
        service: { id: service, title: 'An hour of care' },
        client: { id: client.id, name: 'Tirzah Quill', email: 'quill@found.example' },
        provider: {
          id: provider.id,
          name: 'Dr. Oren Vale',
          email: `${provider.id}@people.example`,
          timeZone: 'America/New_York',
        },
        sequence: 0,
        actions: ['reschedule', 'cancel'],
      },
    ]);
  });

  test('are filtered by dates in the site’s time zone', async () => {
    const { id } = await booked({ startsAt: '2026-02-26T15:00:00Z' });
    await db
      .updateTable('appointments')
      .set({
        // 11 PM on the 26th in New York.
        starts_at: new Date('2026-02-27T04:00:00Z'),
        ends_at: new Date('2026-02-27T05:00:00Z'),
        blocked_until: new Date('2026-02-27T05:15:00Z'),
      })
      .where('id', '=', id)
      .execute();
    expect(await found({ appointmentId: id, from: '2026-02-26', to: '2026-02-26' })).toEqual([id]);
    expect(await found({ appointmentId: id, from: '2026-02-27', to: '2026-02-27' })).toEqual([]);
  });

  test('are paged in both orders without duplicates', async () => {
    const client = await named(await addClient(db), 'Paged Person');
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const start =
        index < 3
          ? at
          : Temporal.Instant.from(at)
              .add({ hours: 24 * index })
              .toString();
      const one = await booked({ startsAt: start });
      await db
        .updateTable('appointments')
        .set({ client_id: client.id, status: 'completed' })
        .where('id', '=', one.id)
        .execute();
      ids.push(one.id);
    }
    for (const order of ['soonest', 'latest'] as const) {
      for (const search of [
        { personId: client.id },
        { words: 'paged person' },
        { status: 'completed' as const },
      ]) {
        const seen: string[] = [];
        let cursor = {};
        for (let page = 0; page < 4; page += 1) {
          const { appointments, more } = await findAppointments(
            admin,
            wanted({ ...search, order, limit: 2, ...cursor }),
          );
          seen.push(...appointments.map(({ id }) => id));
          const last = appointments.at(-1);
          if (!more) break;
          cursor = { lastStart: last!.startsAt, lastId: last!.id };
        }
        const expected = ids.slice(0, 3).toSorted().concat(ids.slice(3));
        expect(seen, `${order} ${JSON.stringify(search)}`).toEqual(
          order === 'soonest' ? expected : expected.toReversed(),
        );
      }
    }
  });

  test('require more words when too many people match', async () => {
    for (let index = 0; index < 50; index += 1) await named(await addClient(db), 'Crowd Person');
    // No digits: the emails contain the ids, which begin with the time.
    await named(await addClient(db), 'Crowd Quill');
    expect(await findAppointments(admin, wanted({ words: 'crowd' }))).toEqual({
      appointments: [],
      more: false,
      manyPeople: true,
    });
    expect(await findAppointments(admin, wanted({ words: 'crowd quill' }))).toMatchObject({
      manyPeople: false,
    });
  });

  test('are listed soonest first, starting with those not over', async () => {
    const past = await booked();
    await db
      .updateTable('appointments')
      .set({
        starts_at: new Date('2026-02-10T20:00:00Z'),
        ends_at: new Date('2026-02-10T21:00:00Z'),
        blocked_until: new Date('2026-02-10T21:15:00Z'),
      })
      .where('id', '=', past.id)
      .execute();
    expect(await found({ personId: past.provider.id })).toEqual([]);
    expect(await found({ personId: past.provider.id, order: 'latest' })).toEqual([past.id]);
    expect(await found({ personId: past.provider.id, from: '2026-02-01' })).toEqual([past.id]);
  });

  test('log each search once by its filters, never its words', async () => {
    const { client } = await booked();
    const before = (await noted('booking.searched')).length;
    const search = wanted({ words: 'Zipporah Secret', personId: client.id, status: 'pending' });
    await findAppointments(admin, search);
    await findAppointments(admin, { ...search, lastStart: at, lastId: newId() });
    const entries = (await noted('booking.searched')).slice(before);
    expect(entries).toEqual([
      {
        actor_id: admin.actor.kind === 'person' ? admin.actor.id : null,
        subject_id: null,
        category: 'service_management',
        details: {
          by: 'words personId status',
          personId: client.id,
          appointmentId: null,
        },
      },
    ]);
  });

  test('are searchable and editable only by administrators', async () => {
    const { client, provider, id } = await booked();
    const wish = { appointmentId: id, sequence: 0, reason: 'Because' };
    for (const person of [client, provider]) {
      expect(await refusalOf(findAppointments(as(person), wanted({})))).toMatchObject({ code: 'forbidden' });
      expect(await refusalOf(cancelAdministered(as(person), wish))).toMatchObject({ code: 'forbidden' });
      expect(
        await refusalOf(rescheduleAdministered(as(person), { ...wish, startsAt: later, notice: 'waived' })),
      ).toMatchObject({ code: 'forbidden' });
      expect(
        await refusalOf(
          startsForBoth(as(person), { appointmentId: id, from: at, to: later, withoutNotice: true }),
        ),
      ).toMatchObject({ code: 'forbidden' });
    }
    const gone = { ...wish, appointmentId: newId() };
    expect(await refusalOf(cancelAdministered(admin, gone))).toMatchObject({ code: 'not_found' });
    expect(
      await refusalOf(rescheduleAdministered(admin, { ...gone, startsAt: later, notice: 'kept' })),
    ).toMatchObject({ code: 'not_found' });
  });
});

async function readBy(person: Person) {
  const [view] = await myAppointments(as(person), selfOf(as(person)), {
    from: now,
    to: '2027-02-16T12:00:00Z',
    limit: 10,
  });
  return view!;
}

describe('an administrator', () => {
  test('cancels at any time; both read why, get an email, and have the time back', async () => {
    const { client, provider, id } = await booked();
    await runJobs();
    await db.deleteFrom('mails').execute();
    database.setNow('2026-02-23T19:30:00Z');
    expect(await refusalOf(cancel(as(client), id))).toMatchObject({ reason: 'deadline_passed' });
    const view = await cancelAdministered(admin, {
      appointmentId: id,
      sequence: 0,
      reason: 'The house has no power.',
    });
    expect(view).toMatchObject({ id, status: 'cancelled', sequence: 1, actions: [] });
    for (const person of [client, provider])
      expect(await readBy(person)).toMatchObject({
        cancelReason: 'The house has no power.',
        byAdministrator: true,
      });
    await runJobs();
    const mails = await readMails();
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(
      [client, provider].map((person) => `${person.id}@people.example`).toSorted(),
    );
    for (const { subject, text_body: text } of mails) {
      expect(subject).toMatch(/^iTalk Health session canceled/);
      expect(text).toContain('An administrator made this change for both of you.');
      // Other people may read emails, so these omit the reason.
      expect(text).not.toContain('power');
    }
    expect((await noted('booking.cancelled')).at(-1)).toMatchObject({
      actor_id: admin.actor.kind === 'person' ? admin.actor.id : null,
      subject_id: id,
      details: { by: 'administrator' },
    });
    database.setNow(now);
    await book(as(client), bookInputFor(provider.id, service, at));
  });

  test('moves a pending or confirmed session; both read why until the next move', async () => {
    for (const approvesFirst of [true, false]) {
      const { client, provider, id } = await booked({ approvesFirst });
      const status = approvesFirst ? 'pending' : 'confirmed';
      const view = await rescheduleAdministered(admin, {
        appointmentId: id,
        sequence: 0,
        startsAt: later,
        notice: 'kept',
        reason: 'The specialist is ill.',
      });
      expect(view).toMatchObject({ status, startsAt: later, sequence: 1 });
      for (const person of [client, provider])
        expect(await readBy(person)).toMatchObject({
          startsAt: later,
          movedReason: 'The specialist is ill.',
          byAdministrator: true,
          cancelReason: null,
        });
    }
  });

  test('must respect the advance notice unless waived, but never the deadline', async () => {
    const { provider, id } = await booked();
    const soon = { from: '2026-02-17T00:00:00Z', to: '2026-02-18T00:00:00Z' };
    database.setNow('2026-02-16T22:00:00Z');
    const first = '2026-02-17T14:00:00Z';
    const wish = { appointmentId: id, sequence: 0, startsAt: first, reason: 'They asked us to.' };
    const offered = async (withoutNotice: boolean) =>
      (await startsForBoth(admin, { appointmentId: id, ...soon, withoutNotice })).starts;
    expect(await offered(false)).not.toContain(first);
    expect(await offered(true)).toContain(first);
    expect(
      (await freeStarts(as(await addClient(db)), { providerId: provider.id, ...soon, durationMinutes: 60 }))
        .starts,
    ).not.toContain(first);
    expect(await refusalOf(rescheduleAdministered(admin, { ...wish, notice: 'kept' }))).toMatchObject({
      reason: 'too_little_notice',
    });
    expect(await rescheduleAdministered(admin, { ...wish, notice: 'waived' })).toMatchObject({
      startsAt: first,
    });
    database.setNow('2026-02-17T13:30:00Z');
    expect(
      await rescheduleAdministered(admin, { ...wish, sequence: 1, startsAt: at, notice: 'kept' }),
    ).toMatchObject({ startsAt: at });
  });

  test('can’t double-book a time, and is offered others', async () => {
    const { provider, id } = await booked();
    const client = await addClient(db);
    await book(as(client), bookInputFor(provider.id, service, later));
    const refused = await refusalOf(
      rescheduleAdministered(admin, {
        appointmentId: id,
        sequence: 0,
        startsAt: later,
        notice: 'waived',
        reason: 'Because',
      }),
    );
    expect(refused).toMatchObject({ code: 'conflict', reason: 'slot_taken' });
    expect(refused.data.nextFreeStarts).toHaveLength(5);
    const out = await refusalOf(
      rescheduleAdministered(admin, {
        appointmentId: id,
        sequence: 0,
        startsAt: '2026-02-24T07:00:00Z',
        notice: 'waived',
        reason: 'Because',
      }),
    );
    expect(out).toMatchObject({ reason: 'outside_hours' });
  });

  test('reports that another administrator acted first', async () => {
    const { id } = await booked();
    const wish = { appointmentId: id, sequence: 0, reason: 'Because' };
    const ends = await Promise.allSettled([
      rescheduleAdministered(admin, { ...wish, startsAt: later, notice: 'kept' }),
      rescheduleAdministered(other, { ...wish, startsAt: '2026-02-25T20:00:00Z', notice: 'kept' }),
    ]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict', reason: 'changed_meanwhile' },
    });
    await cancelAdministered(admin, { ...wish, sequence: 1 });
    expect(await refusalOf(cancelAdministered(other, { ...wish, sequence: 2 }))).toMatchObject({
      reason: 'wrong_status',
    });
    expect(
      await refusalOf(rescheduleAdministered(other, { ...wish, sequence: 2, startsAt: at, notice: 'kept' })),
    ).toMatchObject({ reason: 'wrong_status' });
  });
});
