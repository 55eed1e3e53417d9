import { describe, expect, test } from 'vitest';
import { defaultWeek } from '#/features/availability/rules.ts';
import { faithParts, sessionTypes } from '#/features/providers/contract.ts';
import { requireSpecialist } from '#/features/providers/policies.ts';
import { isoOf } from '#/kernel/iso.ts';
import { newId } from '#/platform/clock.ts';
import { bookInputFor } from '../../../tests/support/booking.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient, addProvider, addService, sixtyMinutes } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import { freeStarts } from '#/features/appointments/free-starts/queries.ts';
import { find } from './commands.ts';
import type { FindInput, MeetingTime } from './contract.ts';
import { findChoices } from './choices/queries.ts';
import { nextStarts } from './queries.ts';
import { lengthOffered, timeFits } from './rules.ts';

const now = Date.parse('2026-03-02T12:00:00Z');
const day = 24 * 3_600_000;
const database = await testDatabase({ now: isoOf(now), poolSize: 8 });
const { db, as } = database;
const guest = as({ kind: 'guest' });
const hourOfCare = await sixtyMinutes(db);
const ninety = await addService(db, { id: 'an-hour-and-a-half', durationMinutes: 90, priceCents: 100 });
const zone = 'Asia/Tokyo';

const traditions = ['Baptist', 'SDA', 'Orthodox'];
const languages = ['English', 'Korean', 'Polish'];
const meetingTimes: MeetingTime[] = ['tomorrow', 'three_days', 'week', 'evenings', 'weekends'];
const towns = ['Boston, MA', 'Chicago, IL'];

const ids: string[] = [];
for (let index = 0; index < 60; index++) {
  const days = [1, 2, 3, 4, 5, 6, 7].filter((weekday) => (weekday + index) % 4 !== 0);
  const from = ['06:00', '09:00', '15:30', '20:00'][index % 4]!;
  const { id } = await addProvider(db, {
    timeZone: ['America/New_York', 'Europe/Paris', 'Asia/Kathmandu'][index % 3]!,
    week: days.map((weekday) => ({ weekday, from, to: '23:00', placeId: null })),
    services: index % 2 ? [hourOfCare] : [hourOfCare, ninety],
    listed: index % 13 !== 12,
  });
  ids.push(id);
  if (index % 11 === 0) await db.deleteFrom('weekly_hours').where('provider_id', '=', id).execute();
  await db
    .updateTable('providers')
    .set({
      kind: index % 5 < 3 ? 'doctor' : 'pastor',
      position: index % 3,
      slug: `s-${String((index * 37) % 60).padStart(2, '0')}`,
      traditions: traditions.filter((_, other) => (index + other) % 3 < 2),
      languages: languages.filter((_, other) => other === 0 || (index + other) % 4 === 0),
      faith_part: faithParts[index % 3]!,
      session_types: sessionTypes.filter((_, other) => other === index % 3 || index % 2 === 0),
      location: index === 0 ? '' : towns[index % 2]!,
      session_lengths: index % 6 === 5 ? [30] : null,
      notice_hours: index % 4 === 3 ? 100 : null,
    })
    .where('id', '=', id)
    .execute();
  if (index % 10 === 4)
    await db
      .insertInto('places')
      .values({
        id: newId(),
        provider_id: id,
        name: 'Office',
        address: 'Main Street',
        town: 'Denver, CO',
        latitude: null,
        longitude: null,
        closed: index % 20 === 4,
      })
      .execute();
}

function asked(more: Partial<FindInput> = {}): FindInput {
  return { order: 'directory', offset: 0, limit: 12, ...more };
}

const knownStarts = new Map<string, Promise<number[]>>();

/** Free times of the next two weeks. Asked once: nothing is booked while specialists are searched for. */
function startsOf(providerId: string, durationMinutes: number, inPerson: boolean): Promise<number[]> {
  const key = `${providerId} ${durationMinutes} ${inPerson}`;
  const asking = async () => {
    const { starts } = await freeStarts(guest, {
      providerId,
      from: isoOf(now),
      to: isoOf(now + 14 * day),
      durationMinutes,
      ...(inPerson ? { sessionType: 'in-person' as const } : {}),
    });
    return starts.map((start) => Date.parse(start));
  };
  const known = knownStarts.get(key) ?? asking();
  knownStarts.set(key, known);
  return known;
}

/** Reference implementation: checks every specialist individually. */
async function everybody(input: FindInput): Promise<string[]> {
  const rows = await db
    .selectFrom('providers')
    .select(['id', 'position', 'slug', 'session_lengths'])
    .where('listed', '=', true)
    .execute();
  const fits = timeFits(input.time, input.timeZone ?? 'America/New_York', now);
  const found: { id: string; position: number; slug: string; first: number }[] = [];
  for (const row of rows) {
    const one = await requireSpecialist(guest, row.id);
    const places = await db
      .selectFrom('places')
      .select('town')
      .where('provider_id', '=', row.id)
      .where('closed', '=', false)
      .execute();
    const where = places.length > 0 ? places.map(({ town }) => town) : [one.location];
    if (
      (input.kind !== undefined && one.kind !== input.kind) ||
      (input.faithPart !== undefined && one.faithPart !== input.faithPart) ||
      (input.tradition !== undefined && !one.traditions.includes(input.tradition)) ||
      (input.language !== undefined && !one.languages.includes(input.language)) ||
      (input.sessionType !== undefined && !one.sessionTypes.includes(input.sessionType)) ||
      (input.serviceId !== undefined && !one.serviceIds.includes(input.serviceId)) ||
      (input.place !== undefined && !where.includes(input.place))
    )
      continue;
    const wanted = input.serviceId === ninety ? 90 : 60;
    const lengths = row.session_lengths ?? [30, 60, 90];
    const starts = await startsOf(row.id, lengthOffered(lengths, wanted), input.sessionType === 'in-person');
    const first = starts.find(fits);
    if (input.time !== undefined && first === undefined) continue;
    found.push({ ...row, first: first ?? Infinity });
  }
  const byOrder = (a: (typeof found)[number], b: (typeof found)[number]) =>
    a.position - b.position || (a.slug < b.slug ? -1 : 1);
  const bySoonest = (a: (typeof found)[number], b: (typeof found)[number]) =>
    (a.first === b.first ? 0 : a.first - b.first) || (a.id < b.id ? -1 : 1);
  return found.toSorted(input.order === 'soonest' ? bySoonest : byOrder).map(({ id }) => id);
}

const wishes: Partial<FindInput>[] = [
  {},
  { kind: 'pastor' },
  { tradition: 'SDA', language: 'Korean' },
  { faithPart: 'central', sessionType: 'phone' },
  { sessionType: 'in-person' },
  { place: 'Boston, MA' },
  { place: 'Denver, CO' },
  { serviceId: ninety },
  { serviceId: 'nothing' },
  { tradition: 'Nobody’s' },
  ...meetingTimes.map((time) => ({ time, timeZone: zone })),
  { time: 'weekends', timeZone: zone, serviceId: ninety, kind: 'doctor' },
  { time: 'three_days', sessionType: 'in-person' },
];

describe.each(['directory', 'soonest'] as const)('sorted by %s', (order) => {
  test.each(wishes)('finds matching specialists: %j', async (wish) => {
    const expected = await everybody(asked({ ...wish, order }));
    const pages: string[] = [];
    for (;;) {
      const found = await find(guest, asked({ ...wish, order, offset: pages.length, limit: 7 }));
      pages.push(...found.specialists.map(({ id }) => id));
      expect(found.total ?? expected.length).toBe(expected.length);
      if (!found.more) break;
    }
    expect(pages).toEqual(expected);
  });
});

test('uses the same number of statements on every page, and excludes unlisted specialists', async () => {
  const whole = await find(guest, asked({ limit: 240 }));
  const unlisted = ids.filter((_, index) => index % 13 === 12);
  expect(whole).toMatchObject({ more: false, total: 60 - unlisted.length });
  expect(whole.specialists.filter(({ id }) => unlisted.includes(id))).toEqual([]);
  const beyond = await find(guest, asked({ offset: 200 }));
  expect(beyond).toEqual({ specialists: [], more: false, total: 60 - unlisted.length });
});

test('rejects an unknown time zone', async () => {
  const refusal = await refusalOf(find(guest, asked({ time: 'week', timeZone: 'Mars/Olympus' })));
  expect(refusal).toMatchObject({ code: 'invalid', fields: [{ field: 'timeZone', reason: 'unknown_zone' }] });
});

test('offers the values of listed specialists, most common first', async () => {
  const choices = await findChoices(guest);
  const everyone = (await find(guest, asked({ limit: 240 }))).specialists;
  for (const { value, count } of choices.languages)
    expect(count).toBe(everyone.filter((one) => one.languages.includes(value)).length);
  for (const { value, count } of choices.traditions)
    expect(count).toBe(everyone.filter((one) => one.traditions.includes(value)).length);
  for (const { value, count } of choices.towns)
    expect(count).toBe((await find(guest, asked({ place: value, limit: 240 }))).total);
  expect(choices.languages[0]).toMatchObject({ value: 'English' });
  const names = choices.towns.map(({ value }) => value);
  expect(names).toContain('Denver, CO');
  expect(names).not.toContain('');
});

describe('next free times', () => {
  test('are the first three of the next two weeks, or the first one later', async () => {
    const [soon, late] = [await addProvider(db), await addProvider(db)];
    for (let ahead = 0; ahead < 20; ahead++)
      await db
        .insertInto('date_exceptions')
        .values({
          provider_id: late.id,
          date: isoOf(now + ahead * day).slice(0, 10),
          windows: '[]',
          note: '',
        })
        .execute();
    const never = await addProvider(db, { week: defaultWeek, listed: false });
    const found = await nextStarts(guest, { providerIds: [soon.id, late.id, never.id].join(',') });
    const of = (id: string) => found.find(({ providerId }) => providerId === id);
    expect(of(soon.id)).toEqual({
      providerId: soon.id,
      durationMinutes: 60,
      // 24 hours' notice from noon UTC, 7 AM in New York.
      starts: ['2026-03-03T14:00:00Z', '2026-03-03T14:30:00Z', '2026-03-03T15:00:00Z'],
    });
    expect(of(late.id)!.starts).toEqual(['2026-03-23T13:00:00Z']);
    expect(of(never.id)).toBeUndefined();
  });

  test('exclude the viewer’s other appointments, and prefer matching times', async () => {
    const [one, other, client] = [await addProvider(db), await addProvider(db), await addClient(db)];
    await book(as(client), bookInputFor(one.id, hourOfCare, '2026-03-03T14:00:00Z', { timeZone: 'UTC' }));
    const [theirs] = await nextStarts(as(client), { providerIds: other.id });
    expect(theirs!.starts[0]).toBe('2026-03-03T15:00:00Z');
    const [guests] = await nextStarts(guest, { providerIds: other.id });
    expect(guests!.starts[0]).toBe('2026-03-03T14:00:00Z');
    const [evening] = await nextStarts(guest, {
      providerIds: other.id,
      serviceId: ninety,
      time: 'evenings',
      timeZone: 'America/New_York',
    });
    expect(evening).toEqual({
      providerId: other.id,
      durationMinutes: 90,
      starts: ['2026-03-03T22:00:00Z', '2026-03-03T22:30:00Z', '2026-03-04T22:00:00Z'],
    });
  });
});

test('lists a specialist once when their next free time changes during paging', async () => {
  let risen: string | null = null;
  const looking = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const [first] = result.rows as { bound?: Date; providerId: string }[];
      if (risen === null && first?.bound) {
        risen = first.providerId;
        await db
          .updateTable('openings')
          .set({ first_free_at: new Date(now + 200 * day) })
          .where('provider_id', '=', risen)
          .execute();
      }
      return result;
    },
  });
  const { specialists } = await find({ ...guest, db: looking }, asked({ order: 'soonest', limit: 60 }));
  expect(specialists.filter(({ id }) => id === risen)).toHaveLength(1);
  await db
    .updateTable('openings')
    .set({ first_free_at: new Date(0) })
    .where('provider_id', '=', risen!)
    .execute();
});

test('leaves out specialists without an active service', async () => {
  const ended = await addService(db, { id: 'ended', durationMinutes: 60, priceCents: 100, active: false });
  const { id } = await addProvider(db, { services: [ended] });
  await db.updateTable('providers').set({ location: 'Paris, TX' }).where('id', '=', id).execute();
  const found = () => find(guest, asked({ place: 'Paris, TX' }));
  expect((await found()).specialists).toEqual([]);
  await db.updateTable('services').set({ active: true }).where('id', '=', ended).execute();
  expect((await found()).specialists).toMatchObject([{ id }]);
});
