import { selfOf } from '#/features/access/rules.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { block, unblock } from '#/features/availability/blocks/commands.ts';
import { setWeeklyHours } from '#/features/availability/week/commands.ts';
import { removeDates, setDates } from '#/features/availability/dates/commands.ts';
import { defaultWeek } from '#/features/availability/rules.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { newId } from '#/platform/clock.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClients, addProvider, addService, sixtyMinutes } from '../../../../tests/support/people.ts';
import { proving } from '../../../../tests/support/prove.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import { find } from '../commands.ts';
import type { FindInput } from '../contract.ts';
import { cancel, complete, reschedule } from '#/features/appointments/life-cycle/commands.ts';
import { freeStarts } from '#/features/appointments/free-starts/queries.ts';
import { raiseOpenings, refreshOpenings } from './commands.ts';
import { outdatedOpenings } from './queries.ts';
import { openingLength } from './rules.ts';

const hour = 3_600_000;
const day = 24 * hour;
const begin = Date.parse('2026-03-02T12:00:00Z');
const database = await testDatabase({ now: isoOf(begin) });
const { db, as } = database;
const system = as({ kind: 'system' });
const service = await sixtyMinutes(db);
await addService(db, { id: 'three-quarters', durationMinutes: 45, priceCents: 100 });

const evening = [1, 2, 6].map((weekday) => ({ weekday, from: '14:30', to: '21:00', placeId: null }));
const weeks = [defaultWeek, defaultWeek.filter(({ weekday }) => weekday > 4), evening, []];
const zones = [
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'America/Los_Angeles',
];
const providers = await Promise.all(
  zones.map((timeZone) => addProvider(db, { timeZone, services: [service, 'three-quarters'] })),
);
const clients = await addClients(db, 4);

/** Seeded linear congruential generator. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** First free start according to `freeStarts`, searched day by day; null if the next 62 days are full. */
async function firstFree(providerId: string, durationMinutes: number, inPerson: boolean, now: number) {
  const { starts } = await freeStarts(system, {
    providerId,
    from: isoOf(now),
    to: isoOf(now + 62 * day),
    durationMinutes,
    ...(inPerson ? { sessionType: 'in-person' as const } : {}),
  });
  return starts[0] === undefined ? null : Date.parse(starts[0]);
}

/** Checks that no stored opening is later than the first actually free time. */
async function expectNoneTooLate(now: number, after: string): Promise<number> {
  const rows = await db.selectFrom('openings').selectAll().where('first_free_at', '>', new Date(0)).execute();
  for (const { id } of providers) {
    for (const inPerson of [false, true]) {
      for (const length of [30, 45, 60, 90]) {
        const holding = rows.filter(
          (row) => row.provider_id === id && row.in_person === inPerson && row.minutes <= length,
        );
        if (holding.length === 0) continue;
        const first = (await firstFree(id, length, inPerson, now)) ?? Infinity;
        for (const { minutes, first_free_at } of holding)
          expect(first_free_at.getTime(), `${after}: ${minutes} for ${length}`).toBeLessThanOrEqual(first);
      }
    }
  }
  return rows.length;
}

function asked(more: Partial<FindInput> = {}): FindInput {
  return { order: 'directory', offset: 0, limit: 12, ...more };
}

test(
  'never stores an opening later than the first free time, in any order of actions',
  { tags: ['long'] },
  async () => {
    const random = chance(20_260_302);
    const pick = <T>(of: readonly T[]): T => of[random(of.length)]!;
    let now = begin;
    const blocks: { person: (typeof providers)[number]; id: string }[] = [];
    const acts: Record<string, () => Promise<unknown>> = {
      async book() {
        const provider = pick(providers);
        const durationMinutes = pick([30, 60, 90]);
        const sessionType = pick(['online', 'in-person'] as const);
        const { starts } = await freeStarts(system, {
          providerId: provider.id,
          from: isoOf(now),
          to: isoOf(now + 20 * day),
          durationMinutes,
          sessionType,
        });
        const startsAt = random(3) > 0 ? starts[0] : starts[random(starts.length)];
        if (startsAt === undefined) return;
        await book(
          as(pick(clients)),
          bookInputFor(provider.id, service, startsAt, { durationMinutes, sessionType, timeZone: 'UTC' }),
        ).catch(() => undefined);
      },
      async change() {
        const row = await db
          .selectFrom('appointments')
          .select(['id', 'provider_id', 'client_id', 'starts_at'])
          .where('status', 'in', ['pending', 'confirmed'])
          .where('starts_at', '>', new Date(now))
          .orderBy('starts_at')
          .offset(random(3))
          .limit(1)
          .executeTakeFirst();
        if (!row) return;
        const provider = providers.find(({ id }) => id === row.provider_id)!;
        const moved = row.starts_at.getTime() + pick([-48, -1, 1, 24, 72]) * hour;
        const what = pick([
          () => cancel(as(provider), row.id),
          () => complete(as(provider), row.id),
          () => reschedule(as(provider), row.id, isoOf(moved)),
        ]);
        await what().catch(() => undefined);
      },
      async hours() {
        await setWeeklyHours(system, pick(providers).id, pick(weeks));
      },
      async dates() {
        const person = pick(providers);
        const date = isoOf(now + (1 + random(12)) * day).slice(0, 10);
        const windows = random(2) ? [] : [{ from: '05:00', to: '23:00', placeId: null }];
        const own = selfOf(as(person));
        await (
          random(3) > 0
            ? setDates(as(person), own, { from: date, windows, note: '' })
            : removeDates(as(person), own, { from: date })
        ).catch(() => undefined);
      },
      async block() {
        const person = pick(providers);
        const start = Math.floor(now / hour) * hour + random(200) * hour;
        const made = await block(as(person), selfOf(as(person)), {
          startsAt: isoOf(start),
          endsAt: isoOf(start + (1 + random(90)) * hour),
          note: '',
        }).catch(() => null);
        if (made) blocks.push({ person, id: made.id });
      },
      async unblock() {
        const [one] = blocks.splice(random(blocks.length), 1);
        if (one) await unblock(as(one.person), selfOf(as(one.person)), one.id);
      },
      async terms() {
        const values = pick([
          { session_lengths: sql<number[]>`'{30}'::int[]` },
          { session_lengths: sql<number[]>`'{45,90}'::int[]` },
          { session_lengths: null },
          { buffer_minutes: pick([null, 60]), daily_maximum: pick([null, 1, 3]) },
          { notice_hours: pick([null, 72]) },
          { rest_kind: pick(['none', 'sunday'] as const) },
          { time_zone: pick(zones) },
        ]);
        await db.updateTable('providers').set(values).where('id', '=', pick(providers).id).execute();
      },
      async site() {
        await db
          .updateTable('site_settings')
          .set({
            booking_advance_notice: pick([0, 24, 48]),
            buffer_time_minutes: pick([0, 15, 60]),
            max_daily_bookings: pick([1, 2, 8]),
          })
          .execute();
      },
      async place() {
        const provider_id = pick(providers).id;
        const what = random(4);
        if (what < 2) {
          const id = newId();
          await db
            .insertInto('places')
            .values({
              id,
              provider_id,
              name: 'Office',
              address: 'Main Street',
              town: 'Boston',
              latitude: null,
              longitude: null,
            })
            .execute();
          await db
            .updateTable('weekly_hours')
            .set({ place_id: id })
            .where('provider_id', '=', provider_id)
            .where('weekday', 'in', [2, 5])
            .execute();
        } else if (what === 2) {
          await db
            .updateTable('places')
            .set({ closed: random(2) > 0 })
            .where('provider_id', '=', provider_id)
            .execute();
        } else {
          await db.deleteFrom('places').where('provider_id', '=', provider_id).execute();
        }
      },
      async wait() {
        now += pick([1, 5, 30]) * hour;
        database.setNow(isoOf(now));
      },
      async look() {
        await find(
          system,
          asked({ order: 'soonest', ...pick([{}, { time: 'week' as const }, { serviceId: service }]) }),
        );
        await find(
          system,
          asked({ time: pick(['tomorrow', 'weekends', 'evenings']), sessionType: 'in-person' }),
        );
      },
      refresh: () => refreshOpenings(system),
    };
    // Weights bookings and their changes highest.
    const often = Array.from({ length: 14 }, (_, index) => (index < 6 ? 'book' : 'change'));
    const names = [...Object.keys(acts), ...often];
    let seen = 0;
    const steps = proving ? 1_000 : 30;
    for (let index = 0; index < steps; index++) {
      // Every second step refreshes openings.
      const name = index % 2 ? pick(['look', 'refresh']) : pick(names);
      await acts[name]!();
      if (index % 2 === 0) seen += await expectNoneTooLate(now, `${index} ${name}`);
    }
    // Ensures most checks saw refreshed openings.
    expect(seen).toBeGreaterThan(5 * steps);
  },
);

describe('freeing time moves the opening earlier', () => {
  /** Creates a provider with one 9:00 AM time tomorrow (New York), booked by a client, and up-to-date openings. */
  async function taken(startsAt: string) {
    database.setNow('2026-06-01T12:00:00Z');
    await db
      .updateTable('site_settings')
      .set({ booking_advance_notice: 0, buffer_time_minutes: 15, max_daily_bookings: 8 })
      .execute();
    const [provider, client] = [await addProvider(db), clients[0]!];
    await setDates(as(provider), selfOf(as(provider)), { from: '2026-06-01', windows: [], note: '' });
    const { appointments } = await book(
      as(client),
      bookInputFor(provider.id, service, startsAt, { timeZone: 'UTC' }),
    );
    return { provider, client, id: appointments[0]!.id };
  }

  async function opening(providerId: string): Promise<number> {
    const { at } = await db
      .selectFrom('openings')
      .select('first_free_at as at')
      .where('provider_id', '=', providerId)
      .where('minutes', '=', 60)
      .where('in_person', '=', false)
      .executeTakeFirstOrThrow();
    return at.getTime();
  }

  const nine = Date.parse('2026-06-02T13:00:00Z');

  test.each([
    ['cancelling', (id: string, who: Ctx) => cancel(who, id)],
    ['moving', (id: string, who: Ctx) => reschedule(who, id, '2026-06-05T18:00:00Z')],
  ])('after %s', async (_, act) => {
    const { provider, client, id } = await taken(isoOf(nine));
    await refreshOpenings(system);
    expect(await opening(provider.id)).toBe(nine + 1.5 * hour);
    await act(id, as(client));
    expect(await opening(provider.id)).toBeLessThanOrEqual(nine);
    await refreshOpenings(system);
    expect(await opening(provider.id)).toBe(nine);
    const { specialists } = await find(system, asked({ order: 'soonest', limit: 240 }));
    expect(specialists.map((one) => one.id)).toContain(provider.id);
  });

  test('after canceling the last session of a full day', async () => {
    const { provider, client, id } = await taken('2026-06-02T21:00:00Z');
    await db.updateTable('providers').set({ daily_maximum: 1 }).where('id', '=', provider.id).execute();
    await refreshOpenings(system);
    expect(await opening(provider.id)).toBe(nine + day);
    await cancel(as(client), id);
    expect(await opening(provider.id)).toBeLessThanOrEqual(nine);
  });

  test('after removing a block or day off, or extending hours', async () => {
    const { provider } = await taken('2026-06-02T21:00:00Z');
    const own = selfOf(as(provider));
    const acts = [
      async () => {
        const span = { startsAt: isoOf(nine - day), endsAt: isoOf(nine + 2 * day), note: '' };
        const { id } = await block(as(provider), own, span);
        return () => unblock(as(provider), own, id);
      },
      async () => {
        await setDates(as(provider), own, { from: '2026-06-02', windows: [], note: '' });
        return () => removeDates(as(provider), own, { from: '2026-06-02' });
      },
      async () => {
        await setWeeklyHours(
          system,
          provider.id,
          defaultWeek.filter(({ weekday }) => weekday > 3),
        );
        return () => setWeeklyHours(system, provider.id, defaultWeek);
      },
    ];
    for (const prepare of acts) {
      const free = await prepare();
      await refreshOpenings(system);
      expect(await opening(provider.id)).toBeGreaterThan(nine);
      await free();
      expect(await opening(provider.id)).toBeLessThanOrEqual(nine);
    }
  });
});

describe('stored openings', () => {
  test('are updated to the first free time', async () => {
    const provider = await addProvider(db);
    const now = system.now().epochMilliseconds;
    await refreshOpenings(system);
    const rows = await db.selectFrom('openings').selectAll().where('provider_id', '=', provider.id).execute();
    expect(rows).toHaveLength(8);
    for (const { minutes, in_person, first_free_at } of rows)
      expect(first_free_at.getTime()).toBe(
        await firstFree(provider.id, openingLength(null, minutes), in_person, now),
      );
  });

  test('keep an earlier value written since they were read', async () => {
    const provider = await addProvider(db);
    const own = await outdatedOpenings(system, Number.MAX_SAFE_INTEGER / 2, 1_000);
    const read = own.filter(({ providerId }) => providerId === provider.id);
    expect(read).toHaveLength(8);
    const looked = read.map((opening) => ({ opening, first: null, at: Date.parse('2027-01-01T00:00:00Z') }));
    await setWeeklyHours(system, provider.id, defaultWeek);
    await raiseOpenings(system, looked);
    const at = () =>
      db
        .selectFrom('openings')
        .select(({ fn }) => fn.max('first_free_at').as('at'))
        .where('provider_id', '=', provider.id)
        .executeTakeFirstOrThrow();
    expect((await at()).at.getTime()).toBe(0);
  });

  test('neither wait for locks nor hold any', async () => {
    const provider = await addProvider(db);
    const own = (await outdatedOpenings(system, Number.MAX_SAFE_INTEGER / 2, 1_000)).filter(
      ({ providerId }) => providerId === provider.id,
    );
    await db.transaction().execute(async (held) => {
      await held.updateTable('openings').set({ version: 7 }).where('provider_id', '=', provider.id).execute();
      await raiseOpenings(
        system,
        own.map((opening) => ({ opening, first: null, at: Date.parse('2027-01-01T00:00:00Z') })),
      );
    });
    const rows = await db.selectFrom('openings').selectAll().where('provider_id', '=', provider.id).execute();
    expect(rows.map(({ first_free_at }) => first_free_at.getTime())).toEqual(rows.map(() => 0));
  });
});
