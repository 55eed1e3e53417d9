import { Agent } from 'node:http';
import { sql, type Kysely } from 'kysely';
import { minute } from '#/kernel/zone-clock.ts';
import { connect } from '#/platform/db/database.ts';
import type { Database } from '#/platform/context.ts';
import { fillAppointments } from '../../tests/support/full-table.ts';
import {
  addClients,
  addProvider,
  sixtyMinutes,
  type Person,
  type ProviderTerms,
} from '../../tests/support/people.ts';
import {
  manyForEach,
  overlapsSql,
  race,
  tally,
  type Attempt,
  type Outcome,
} from '../../tests/support/race.ts';
import type { Figure } from './figure.ts';
import { bookingOf, cookiesOf, post } from './visitors.ts';

const hour = 60 * minute;
const day = 24 * hour;

export interface RaceSize {
  people: number;
  starts: number;
  inFlight: number;
  stored: number;
}

const whole: RaceSize = { people: 40, starts: 50, inFlight: 40, stored: 5_000 };

export interface RaceTarget {
  urls: readonly string[];
  databaseUrl: string;
  authSecret: string;
}

interface Bench extends RaceTarget {
  db: Kysely<Database>;
  agent: Agent;
  serviceId: string;
}

interface Entrant extends Person {
  cookie: string;
}

/**
 * Races people for the same times over HTTP and every process: single times, series, a day's last places, and changes
 * to one appointment. Raises the daily maximum temporarily; `must` figures are invariants, not measurements.
 */
export async function benchRaces(target: RaceTarget, size = whole): Promise<Figure[]> {
  const { db } = connect(target.databaseUrl, 5);
  const agent = new Agent({ keepAlive: true, maxSockets: size.inFlight });
  const { max_daily_bookings } = await db
    .selectFrom('site_settings')
    .select('max_daily_bookings')
    .executeTakeFirstOrThrow();
  try {
    await allowDaily(db, 100);
    await fillAppointments(db, { count: size.stored, from: new Date(dayAt(1)).toISOString() });
    const bench: Bench = { ...target, db, agent, serviceId: await sixtyMinutes(db) };
    return [
      await pendingConfirmed(bench),
      await cancelledAndMoved(bench),
      await dayFilled(bench),
      await seriesRaced(bench),
      // Runs after the other races, when every process has its connections open.
      ...(await startsRaced(bench, size)),
      await overlapping(bench),
    ];
  } finally {
    await allowDaily(db, max_daily_bookings);
    agent.destroy();
    await db.destroy();
  }
}

async function allowDaily(db: Kysely<Database>, max_daily_bookings: number): Promise<void> {
  await db.updateTable('site_settings').set({ max_daily_bookings }).execute();
}

function dayAt(days: number): number {
  return Math.floor(Date.now() / day) * day + days * day;
}

function startAt(days: number, hours: number): string {
  return new Date(dayAt(days) + hours * hour).toISOString();
}

async function clientsOf({ db, authSecret }: Bench, count: number): Promise<Entrant[]> {
  const people = await addClients(db, count);
  const cookies = await cookiesOf(db, people, authSecret);
  return people.map((person, index) => ({ ...person, cookie: cookies[index]! }));
}

/** A provider available 8:00–20:00 UTC daily, so only the race decides. */
async function providerOf({ db, authSecret }: Bench, terms: ProviderTerms = {}): Promise<Entrant> {
  const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from: '08:00', to: '20:00' }));
  const person = await addProvider(db, { timeZone: 'UTC', week, ...terms });
  return { ...person, cookie: (await cookiesOf(db, [person], authSecret))[0]! };
}

function booker(bench: Bench, clients: readonly Entrant[], provider: Entrant) {
  const { urls, agent, serviceId } = bench;
  return ({ client, startsAt, durationMinutes, recurrence }: Attempt, index: number): Promise<unknown> => {
    const wanted = { providerId: provider.id, serviceId, startsAt, durationMinutes, recurrence };
    const url = `${urls[index % urls.length]}/api/bookings`;
    return post(agent, url, clients[client]!.cookie, bookingOf(wanted));
  };
}

function once(client: number, startsAt: string, durationMinutes = 60): Attempt {
  return { client, startsAt, durationMinutes, recurrence: 'one_time' };
}

async function startsRaced(bench: Bench, size: RaceSize): Promise<Figure[]> {
  const [clients, provider] = [await clientsOf(bench, size.people * size.starts), await providerOf(bench)];
  // Ten half-hour times a day; the longest sessions cover the next two.
  const starts = Array.from({ length: size.starts }, (_, index) =>
    startAt(7 + Math.floor(index / 10), 9 + (index % 10) / 2),
  );
  const before = await deadlocks(bench.db);
  const began = performance.now();
  const outcomes = await race(
    manyForEach(size.people, starts),
    size.inFlight,
    booker(bench, clients, provider),
  );
  const seconds = (performance.now() - began) / 1000;
  const won = outcomes.filter(({ ended }) => ended === 'won');
  const lost = outcomes.filter(({ ended }) => ended !== 'won');
  const times = outcomes.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const [p99, slowest] = [times[Math.floor(times.length * 0.99)]!, times.at(-1)!];
  return [
    {
      name: `${size.people} people for each of ${size.starts} starts, ${size.inFlight} in flight, over ${bench.urls.length} processes and ${size.stored} stored appointments`,
      value: `${ends(outcomes)}; ${Math.round(outcomes.length / seconds)} attempts a second`,
      aim: 'one winner a start at most, every loser 409 slot_taken with the next free starts, no 5xx',
      met:
        // One 90-minute session plus buffer blocks at most five times.
        won.length >= size.starts / 5 &&
        new Set(won.map(({ startsAt }) => startsAt)).size === won.length &&
        (await heldBy(bench, provider)) === won.length &&
        lost.every(({ ended, offered }) => ended === 'conflict slot_taken' && offered > 0),
      must: true,
    },
    {
      name: 'the slowest attempt of the race',
      value: `${Math.round(slowest)} ms (p99 ${Math.round(p99)} ms)`,
      aim: 'under 1,000 ms',
      met: slowest < 1_000,
    },
    {
      name: 'deadlocks in the database during the race',
      value: String((await deadlocks(bench.db)) - before),
      aim: 'printed: none reaches a person',
      met: true,
    },
  ];
}

async function pendingConfirmed(bench: Bench): Promise<Figure> {
  const count = 10;
  const [clients, provider] = [
    await clientsOf(bench, count),
    await providerOf(bench, { approvesFirst: true }),
  ];
  const wishes = clients.map((_, client) => once(client, startAt(14 + (client >> 1), 9 + (client & 1) * 2)));
  await race(wishes, count, booker(bench, clients, provider));
  const ids = (await sessionsOf(bench, provider)).map(({ id }) => id);
  // Confirms adjacent sessions concurrently, once per process.
  const clicks = ids.flatMap((id) => bench.urls.map((url) => `${url}/api/appointments/${id}/confirm`));
  const outcomes = await race(
    clicks.map((_, index) => wishes[index % count]!),
    clicks.length,
    (_, index) => post(bench.agent, clicks[index]!, provider.cookie, {}),
  );
  const { won = 0, 'conflict wrong_status': refused = 0 } = tally(outcomes);
  return {
    name: `${count} pending sessions confirmed at once, each by ${bench.urls.length} clicks`,
    value: ends(outcomes),
    aim: 'each once',
    met: ids.length === count && won === count && won + refused === clicks.length,
    must: true,
  };
}

async function cancelledAndMoved(bench: Bench): Promise<Figure> {
  const count = 10;
  const [clients, provider] = [await clientsOf(bench, count), await providerOf(bench)];
  const wishes = clients.map((_, client) => once(client, startAt(14 + client, 9)));
  await race(wishes, count, booker(bench, clients, provider));
  const sessions = await sessionsOf(bench, provider);
  const { urls, agent } = bench;
  const outcomes = await race([...wishes, ...wishes], count * 2, (_, index) => {
    const { id, client_id, starts_at } = sessions[index >> 1]!;
    const { cookie } = clients.find((client) => client.id === client_id)!;
    const at = `/api/appointments/${id}`;
    const startsAt = new Date(starts_at.getTime() + 5 * hour).toISOString();
    return index % 2 === 0
      ? post(agent, `${urls[(index >> 1) % urls.length]}${at}/cancel`, cookie, {})
      : post(agent, `${urls[((index >> 1) + 1) % urls.length]}${at}/reschedule`, cookie, { startsAt });
  });
  const after = await bench.db
    .selectFrom('appointments')
    .innerJoin('participants', 'appointment_id', 'appointments.id')
    .select(['status', 'held', 'appointments.starts_at', 'participants.starts_at as held_from'])
    .where('provider_id', '=', provider.id)
    .execute();
  const { won = 0, 'conflict wrong_status': refused = 0 } = tally(outcomes);
  return {
    name: `${count} sessions cancelled and moved at once`,
    value: ends(outcomes),
    aim: 'each ends cancelled, its rows agree',
    met:
      sessions.length === count &&
      won >= count &&
      won + refused === outcomes.length &&
      after.every((row) => row.status === 'cancelled' && !row.held) &&
      after.every((row) => row.starts_at.getTime() === row.held_from.getTime()),
    must: true,
  };
}

async function dayFilled(bench: Bench): Promise<Figure> {
  const [most, count] = [3, 10];
  const [clients, provider] = [await clientsOf(bench, count), await providerOf(bench)];
  await allowDaily(bench.db, most);
  const wishes = clients.map((_, client) => once(client, startAt(14, 9 + client), 30));
  const outcomes = await race(wishes, count, booker(bench, clients, provider));
  await allowDaily(bench.db, 100);
  const { won = 0, 'precondition day_full': full = 0 } = tally(outcomes);
  return {
    name: `${count} people for the ${most} places of a day`,
    value: ends(outcomes),
    aim: `${most} won, the others told that the day is full`,
    met: won === most && full === count - most && (await heldBy(bench, provider)) === most,
    must: true,
  };
}

async function seriesRaced(bench: Bench): Promise<Figure> {
  const count = 20;
  const [clients, provider] = [await clientsOf(bench, count), await providerOf(bench)];
  const wishes = clients.map((_, client): Attempt => ({
    client,
    startsAt: startAt(14 + (client % 4) * 7, 9),
    durationMinutes: 60,
    recurrence: client % 5 === 4 ? 'one_time' : 'weekly',
  }));
  const outcomes = await race(wishes, count, booker(bench, clients, provider));
  const stored = await bench.db
    .selectFrom('appointments')
    .select(({ fn }) => ['booking_id', 'series_count', fn.countAll<number>().as('sessions')])
    .where('provider_id', '=', provider.id)
    .groupBy(['booking_id', 'series_count'])
    .execute();
  const { won = 0, 'conflict slot_taken': taken = 0 } = tally(outcomes);
  return {
    name: `${count} weekly series and single sessions for the same four weeks`,
    value: ends(outcomes),
    aim: 'each stored whole or not at all',
    met:
      won > 0 &&
      won + taken === count &&
      stored.length === won &&
      stored.every(({ series_count, sessions }) => series_count === sessions),
    must: true,
  };
}

async function overlapping({ db }: Bench): Promise<Figure> {
  const { rows } = await sql.raw(overlapsSql).execute(db);
  return {
    name: 'stored appointments that overlap, buffers included',
    value: String(rows.length),
    aim: '0',
    met: rows.length === 0,
    must: true,
  };
}

async function sessionsOf({ db }: Bench, provider: Entrant) {
  return db
    .selectFrom('appointments')
    .select(['id', 'client_id', 'starts_at'])
    .where('provider_id', '=', provider.id)
    .where('status', 'in', ['pending', 'confirmed'])
    .orderBy('starts_at')
    .execute();
}

async function heldBy(bench: Bench, provider: Entrant): Promise<number> {
  return (await sessionsOf(bench, provider)).length;
}

async function deadlocks(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db);
  return rows[0]!.deadlocks;
}

function ends(outcomes: readonly Outcome[]): string {
  return Object.entries(tally(outcomes))
    .map(([end, count]) => `${count} ${end}`)
    .join(', ');
}
