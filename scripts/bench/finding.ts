import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Database } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { median, type Figure } from './figure.ts';
import { latencies, percentile } from './load.ts';
import { fillSpecialists } from './specialists.ts';

const sizes = [100, 1_000, 10_000];
const appointmentsEach = 200;
const coming = 24;
/** Skips sizes that would take longer to fill, in seconds. */
const longestFill = 240;
/** Aim for this size: 99th percentile, in milliseconds. */
const measured = 1_000;
const aim = 100;
const inFlight = 2;
const warmUp = 200;
const requests = 400;
/** The median round counts, since other processes disturb some. */
const rounds = 3;

const searches: Readonly<Record<string, string>>[] = [
  {},
  { care: 'grief' },
  { kind: 'pastor' },
  { order: 'soonest' },
  { time: 'week', zone: 'America/Chicago' },
  { time: 'evenings', zone: 'America/Chicago' },
  { language: 'Korean', kind: 'doctor' },
  { care: 'couples', order: 'soonest', type: 'in-person' },
  { tradition: 'Lutheran', faith: 'central', type: 'phone' },
  { place: 'Town 7' },
  { time: 'weekends', zone: 'Europe/Berlin', order: 'soonest' },
  { time: 'three_days', zone: 'America/New_York', care: 'individuals', language: 'English' },
  { page: '3' },
];

interface Times {
  p50: number;
  p99: number;
  rows: number;
}

/**
 * Measures filtered directory pages and their next free times over 100, 1,000 and 10,000 specialists with 200
 * appointments each. Inserts rows directly into the product's database.
 */
export async function benchFinding(target: { url: string; databaseUrl: string }): Promise<Figure[]> {
  const { db } = connect(target.databaseUrl, 4);
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const figures: Figure[] = [];
  const medians: Times[] = [];
  try {
    let filled = 0;
    for (const size of sizes) {
      if (filled * 10 > longestFill) {
        const value = 'left out: this machine would take too long to fill it';
        figures.push({
          name: `${size.toLocaleString('en-US')} specialists`,
          value,
          aim: 'to compare',
          met: true,
        });
        continue;
      }
      const began = performance.now();
      await fillSpecialists(db, { specialists: size, clientsEach: 1, appointmentsEach, coming });
      filled = Math.round((performance.now() - began) / 1000);
      const pages = searches.map((search) => {
        const query = new URLSearchParams(search).toString();
        return `${target.url}/therapists?${query || 'page=1'}`;
      });
      const starts = await Promise.all(
        searches.map(
          async (search, index) => `${target.url}/api/find/next-starts?${await shown(db, search, index)}`,
        ),
      );
      const page = await timesOf(db, agent, pages);
      const next = await timesOf(db, agent, starts);
      medians.push(page);
      const about = `${size.toLocaleString('en-US')} specialists, ${(size * appointmentsEach).toLocaleString('en-US')} appointments`;
      figures.push(
        {
          name: `specialists page with filters, ${about} (filled in ${filled} s)`,
          value: textOf(page),
          aim: size === measured ? `p99 under ${aim} ms` : 'to compare',
          met: size !== measured || page.p99 < aim,
        },
        {
          name: `their next free starts, ${about}`,
          value: textOf(next),
          aim: size === measured ? `p99 under ${aim} ms` : 'to compare',
          met: size !== measured || next.p99 < aim,
        },
      );
    }
  } finally {
    agent.destroy();
    await db.destroy();
  }
  const [least, most] = [medians[0]!, medians.at(-1)!];
  const growth = most.p50 / least.p50;
  figures.push({
    name: `specialists page, ${10 ** (medians.length - 1)} times as many stored`,
    value: `${growth.toFixed(2)} times as slow at the median, ${(most.rows / least.rows).toFixed(2)} times the rows`,
    aim: 'at most 3 times',
    met: growth <= 3,
  });
  return figures;
}

function textOf({ p50, p99, rows }: Times): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${rows} rows read in the database`;
}

async function timesOf(db: Kysely<Database>, agent: Agent, urls: readonly string[]): Promise<Times> {
  const send = (count: number) =>
    latencies(count, inFlight, (index) => ask(agent, urls[index % urls.length]!));
  await send(warmUp);
  const before = await rowsRead(db);
  const p50: number[] = [];
  const p99: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const times = await send(requests);
    p50.push(percentile(times, 0.5));
    p99.push(percentile(times, 0.99));
  }
  const rows = Math.round(((await rowsRead(db)) - before) / (requests * rounds));
  return { p50: median(p50), p99: median(p99), rows };
}

function ask(agent: Agent, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
      );
    }).on('error', reject);
  });
}

/** Total rows read by statements so far, from PostgreSQL's table statistics. */
async function rowsRead(db: Kysely<Database>): Promise<number> {
  // Backends report their statistics at most once a second.
  await sleep(1_500);
  const { rows } = await sql<{ read: number }>`
    select (sum(seq_tup_read) + sum(idx_tup_fetch))::float8 as read from pg_stat_user_tables`.execute(db);
  return rows[0]!.read;
}

async function shown(
  db: Kysely<Database>,
  search: Readonly<Record<string, string>>,
  page: number,
): Promise<string> {
  const rows = await db
    .selectFrom('providers')
    .select('id')
    .where('listed', '=', true)
    .orderBy('position')
    .orderBy('slug')
    .offset(page * 7)
    .limit(12)
    .execute();
  const { time, zone, care, type } = search;
  return new URLSearchParams({
    providerIds: rows.map(({ id }) => id).join(','),
    ...(time ? { time } : {}),
    ...(zone ? { timeZone: zone } : {}),
    ...(care ? { serviceId: care } : {}),
    ...(type ? { sessionType: type } : {}),
  }).toString();
}
