import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { newId, systemNow } from '#/platform/clock.ts';
import type { Ctx, Database } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { refreshOpenings } from '#/features/specialist-search/openings/commands.ts';
import { addClients } from '../../tests/support/people.ts';
import { median, type Figure } from './figure.ts';

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

const languages = ['English', 'Spanish', 'Korean', 'French', 'Polish', 'Yoruba', 'Hindi', 'Arabic'];
const traditions = ['Baptist', 'SDA', 'Lutheran', 'Catholic', 'Orthodox', 'Pentecostal', 'Methodist'];

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
    const clientIds = (await addClients(db, 50)).map(({ id }) => id);
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
      await fill(db, size, clientIds);
      // Mirrors the product's job: 1,000 specialists per run.
      for (let left = size; left > 0; left -= 1_000) await refreshOpenings(contextOf(db));
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

function contextOf(db: Kysely<Database>): Ctx {
  return { db, now: systemNow, newId, actor: { kind: 'system' }, requestId: 'bench' } as unknown as Ctx;
}

async function timesOf(db: Kysely<Database>, agent: Agent, urls: readonly string[]): Promise<Times> {
  await flow(agent, urls, warmUp);
  const before = await rowsRead(db);
  const p50: number[] = [];
  const p99: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const times = (await flow(agent, urls, requests)).toSorted((a, b) => a - b);
    p50.push(times[Math.floor(times.length * 0.5)]!);
    p99.push(times[Math.floor(times.length * 0.99)]!);
  }
  const rows = Math.round(((await rowsRead(db)) - before) / (requests * rounds));
  return { p50: median(p50), p99: median(p99), rows };
}

async function flow(agent: Agent, urls: readonly string[], count: number): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const began = performance.now();
      await ask(agent, urls[index % urls.length]!);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return times;
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

async function fill(db: Kysely<Database>, size: number, clientIds: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Skips foreign key checks, which would take most of the time.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`set local statement_timeout = 0`.execute(tx);
    // Rebuilding indexes at the end is much faster.
    const indexes = await sql<{ name: string; made: string }>`
      select indexname as name, indexdef as made from pg_indexes
      where tablename = 'appointments' and indexname not in (select conname from pg_constraint)`.execute(tx);
    for (const { name } of indexes.rows) await sql`drop index ${sql.ref(name)}`.execute(tx);
    await sql`create temporary table made on commit drop as
      select gen_random_uuid() as id, n from generate_series(1, ${size}::int) n
      where n > (select count(*) from providers where slug like 'bench-%')`.execute(tx);
    await sql`insert into users (id, name, email)
      select id, 'Specialist ' || n, 'bench-' || n || '@people.example' from made`.execute(tx);
    await sql`insert into profiles (id, role, full_name)
      select id, 'doctor', 'Specialist ' || n from made`.execute(tx);
    await sql`insert into providers (id, slug, kind, title, specialties, experience, location, bio, time_zone,
        languages, traditions, faith_part, session_types)
      select id, 'bench-' || lpad(((n * 7919) % 1000003)::text, 7, '0'),
        case when n % 5 < 3 then 'doctor' else 'pastor' end, 'Psychologist', '{Grief,Anxiety}', '10 years',
        'Town ' || n % 50, repeat('Listens, and asks when it helps. ', 8), 'America/New_York',
        case when n % 3 = 0 then array['English', ${langOf}] else array['English'] end,
        array[(${traditions}::text[])[1 + n % 7]], (array['as_you_wish', 'woven_in', 'central'])[1 + n % 3],
        case when n % 4 = 0 then '{online}'::text[] else '{online,phone,in-person}'::text[] end
      from made`.execute(tx);
    await sql`insert into provider_services (provider_id, service_id)
      select made.id, services.id from made join services on (services.position + made.n) % 3 > 0`.execute(
      tx,
    );
    await sql`insert into weekly_hours (provider_id, weekday, from_time, to_time)
      select id, weekday, hours[1], hours[2] from made, generate_series(1, 6) weekday,
        (values (array['09:00', '13:00']), (array['14:00', '19:00'])) windows (hours)`.execute(tx);
    await sql`insert into date_exceptions (provider_id, date)
      select id, current_date + ahead from made, generate_series(0, 11) ahead where ahead < n % 12`.execute(
      tx,
    );
    await sql`insert into bookings (id, client_id, idempotency_key, fingerprint, recurrence, created_at)
      select id, (${clientIds}::uuid[])[1 + n % 50], id, '', 'one_time', now() from made`.execute(tx);
    await sql`insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id,
        status, kind, session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name,
        contact_email, client_time_zone, reminder_minutes, created_at, updated_at)
      select gen_random_uuid(), id, 1, 1, (${clientIds}::uuid[])[1 + (n + k) % 50], id, 'individuals',
        case when k < ${coming}::int then 'confirmed' else 'completed' end, 'follow-up', 'online', at, at + interval '1 hour',
        at + interval '75 minutes', at::date, 9000, 'Bench', 'bench@people.example', 'UTC', 15, now(), now()
      from made, generate_series(0, ${appointmentsEach - 1}::int) k,
        lateral (select date_trunc('day', now()) + (case when k < ${coming}::int then 1 + k / 2 else -(k / 2) end) * interval '1 day'
          + (14 + 2 * (k % 2) + n % 3) * interval '1 hour' as at) times`.execute(tx);
    for (const { made } of indexes.rows) await sql.raw(made).execute(tx);
    await sql`select openings_begin(id) from made`.execute(tx);
  });
  await sql`vacuum analyze`.execute(db);
}

const langOf = sql`(${languages}::text[])[1 + n % 8]`;
