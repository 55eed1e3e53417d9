import { Agent } from 'node:http';
import { sql, type Kysely } from 'kysely';
import { newId } from '#/platform/clock.ts';
import type { Database } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import type { Person } from '../../tests/support/people.ts';
import type { Figure } from './figure.ts';
import { latencies, percentile } from './load.ts';
import { fillSpecialists } from './specialists.ts';
import { bookingOf, cookiesOf, get, post } from './visitors.ts';

/** The first one is compared with the others. */
const sizes = [100, 10_000, 100_000];
const clientsEach = 10;
const appointmentsEach = 100;
const coming = 10;
/** Of the first size, so the same people ask at every size. */
const people = 40;
const inFlight = 2;
const warmUp = 80;
const requests = 400;
/** At most so much slower, at the 99th percentile. */
const aim = 2;
/** Days ahead of the first booked session, after the stored ones. */
const bookedFrom = 40;
/** Tables that a plan may read whole, in rows. */
const smallTable = 2_000;

/** One person's request. */
type Ask = (index: number) => Promise<unknown>;

interface Measured {
  p50: number;
  p99: number;
  plan: string;
}

/**
 * Compares ten main reads, and bookings, over 10,000 appointments with the same over 1,000,000 and 10,000,000, with the
 * indexes that each used. Inserts rows directly into the product's database, which takes most of the time and 12 GB.
 */
export async function benchScale(
  target: { url: string; databaseUrl: string; authSecret: string },
  say: (figures: readonly Figure[]) => void,
): Promise<void> {
  const { db } = connect(target.databaseUrl, 4);
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const first = new Map<string, Measured>();
  try {
    for (const specialists of sizes) {
      const began = performance.now();
      await fillSpecialists(db, { specialists, clientsEach, appointmentsEach, coming });
      const filled = Math.round((performance.now() - began) / 1_000);
      const about = `${(specialists * appointmentsEach).toLocaleString('en-US')} appointments`;
      say([
        { name: `filled to ${about}`, value: `${filled} s, ${await bytesOf(db)}`, aim: 'printed', met: true },
      ]);
      const asks = await asksOf(db, agent, {
        ...target,
        firstDay: bookedFrom + sizes.indexOf(specialists) * 14,
      });
      for (const [name, ask] of Object.entries(asks)) {
        const measured = await measure(db, ask, name === 'a booking' ? people * 4 : requests);
        if (!first.has(name)) first.set(name, measured);
        const ratio = measured.p99 / first.get(name)!.p99;
        say([
          {
            name: `${name}, ${about}`,
            value: `p50 ${measured.p50.toFixed(1)} ms, p99 ${measured.p99.toFixed(1)} ms, ${ratio.toFixed(2)} of the first (${measured.plan})`,
            aim: `p99 within ${aim} times the first`,
            met: ratio <= aim,
          },
        ]);
      }
    }
  } finally {
    agent.destroy();
    await db.destroy();
  }
}

async function measure(db: Kysely<Database>, ask: Ask, count: number): Promise<Measured> {
  await latencies(Math.min(warmUp, count), inFlight, ask);
  const before = await scans(db);
  const times = await latencies(count, inFlight, (index) => ask(index + warmUp));
  const after = await scans(db);
  const plan = [...after]
    .filter(([name, scanned]) => scanned - (before.get(name) ?? 0) >= count / 2)
    .map(([name]) => name)
    .toSorted();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), plan: plan.join(', ') };
}

/** Scans so far of each index of a large table, and of each large table read whole. */
async function scans(db: Kysely<Database>): Promise<Map<string, number>> {
  // Backends report their statistics at most once a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { rows } = await sql<{ name: string; scanned: number }>`
    select indexrelname as name, idx_scan::float8 as scanned
      from pg_stat_user_indexes join pg_class on pg_class.oid = relid
      where reltuples > ${smallTable}
    union all
    select 'all of ' || pg_stat_user_tables.relname, seq_scan::float8
      from pg_stat_user_tables join pg_class on pg_class.oid = relid
      where reltuples > ${smallTable}`.execute(db);
  return new Map(rows.map(({ name, scanned }) => [name, scanned]));
}

async function bytesOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ bytes: string }>`
    select pg_size_pretty(pg_database_size(current_database())) as bytes`.execute(db);
  return rows[0]!.bytes;
}

/** Ten main reads of guests, clients, specialists and administrators, and a booking. */
async function asksOf(
  db: Kysely<Database>,
  agent: Agent,
  { url, authSecret, firstDay }: { url: string; authSecret: string; firstDay: number },
): Promise<Record<string, Ask>> {
  const cookies = async (emails: readonly string[], role: Person['role']): Promise<string[]> => {
    const rows = await db
      .selectFrom('users')
      .select('id')
      .where('email', 'in', emails)
      .orderBy('email')
      .execute();
    const signedIn = rows.map(({ id }) => ({ kind: 'person' as const, id, role, sessionId: newId() }));
    return cookiesOf(db, signedIn, authSecret);
  };
  const numbers = Array.from({ length: people }, (_, index) => index + 1);
  const names = numbers.map((n) => `Client ${n}`);
  const found = await db
    .selectFrom('users')
    .select('email')
    .where('name', 'in', names)
    .orderBy('email')
    .execute();
  const addresses = found.map(({ email }) => email);
  const clients = await cookies(addresses, 'client');
  const doctors = await cookies(
    numbers.map((n) => `bench-${n}@people.example`),
    'doctor',
  );
  const [admin] = await cookies(['admin@italk.example'], 'super_admin');
  const specialists = await db
    .selectFrom('providers')
    .innerJoin('users', 'users.id', 'providers.id')
    .innerJoin('provider_services', 'provider_id', 'providers.id')
    .select(['providers.id', 'slug'])
    .select(({ fn }) => fn.min('service_id').as('serviceId'))
    .where(
      'users.email',
      'in',
      numbers.map((n) => `bench-${n}@people.example`),
    )
    .groupBy(['providers.id', 'slug', 'users.email'])
    .orderBy('users.email')
    .execute();
  const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length]!;
  const day = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
  const instant = (days: number, hours = 0) => new Date(day + (days * 24 + hours) * 3_600_000).toISOString();
  const span = (from: number, to: number) => `from=${instant(from)}&to=${instant(to)}`;
  const guest = (path: string) => get(agent, `${url}${path}`, '');
  let booked = 0;
  return {
    'the directory': () => guest('/therapists?page=1'),
    'a search': (index) =>
      guest(`/therapists?care=grief&order=soonest&language=${at(['Korean', 'Polish'], index)}`),
    'a specialist’s page': (index) => guest(`/therapists/${at(specialists, index).slug}`),
    'a month of free times': (index) =>
      guest(`/api/specialists/${at(specialists, index).id}/free-starts?${span(1, 31)}&durationMinutes=60`),
    'a client’s home': (index) => get(agent, `${url}/home`, at(clients, index)),
    'a client’s sessions': (index) =>
      get(agent, `${url}/api/appointments?${span(-366, 366)}`, at(clients, index)),
    'a specialist’s home': (index) => get(agent, `${url}/home`, at(doctors, index)),
    'an administrator’s search': (index) =>
      post(agent, `${url}/api/admin/appointments/search`, admin!, {
        words: at(addresses, index).split('@')[0],
      }),
    'an administrator’s overview': () => get(agent, `${url}/api/analytics/overview`, admin!),
    'a report of 90 days': () =>
      get(
        agent,
        `${url}/api/analytics/report?from=${instant(-91).slice(0, 10)}&to=${instant(-2).slice(0, 10)}`,
        admin!,
      ),
    'a booking': (index) => {
      // Specialists rest on Sundays.
      const round = Math.floor(booked++ / people);
      const sunday = new Date(instant(firstDay)).getUTCDay();
      return post(
        agent,
        `${url}/api/bookings`,
        at(clients, index),
        bookingOf({
          providerId: at(specialists, index).id,
          serviceId: at(specialists, index).serviceId,
          startsAt: instant(firstDay - sunday + 1 + round, 15),
          durationMinutes: 60,
        }),
      );
    },
  };
}
