import { Agent } from 'node:http';
import type pg from 'pg';
import { newId } from '#/platform/clock.ts';
import { connect } from '#/platform/db/database.ts';
import type { Notice } from '#/platform/realtime/notices.ts';
import { addProvider, sixtyMinutes } from '../../tests/support/people.ts';
import { median, type Figure } from './figure.ts';
import { timeOf } from './load.ts';
import { bookingOf, post } from './visitors.ts';

const inFlight = 20;
/** Takes the median of many short alternating rounds, since other processes disturb some. */
const rounds = 9;
const bookingsARound = 160;
const hour = 3_600_000;

/** One hour of one provider for one client; no two overlap. */
interface Wish {
  client: number;
  providerId: string;
  startsAt: Date;
}

/**
 * Compares HTTP bookings, until both letters of each are written, with a bare, pipelining `pg` client at equal concurrency.
 * That client does what any correct server must do in the database: it finds the session and counts the request; locks both
 * diaries and reads what the decision needs; writes identical rows; then writes the letters and ends the jobs. It spares
 * HTTP, the decision, and setting and encrypting the letters. `cookies` belong to clients without appointments; the server
 * needs raised rate limits, and the daily maximum is raised temporarily.
 */
export async function benchBookings(target: {
  url: string;
  cookies: readonly string[];
  databaseUrl: string;
}): Promise<Figure[]> {
  const { url, cookies, databaseUrl } = target;
  const { db, pool } = connect(databaseUrl, inFlight);
  const { max_daily_bookings } = await db
    .selectFrom('site_settings')
    .select('max_daily_bookings')
    .executeTakeFirstOrThrow();
  await db.updateTable('site_settings').set({ max_daily_bookings: 100 }).execute();
  try {
    const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from: '00:00', to: '24:00' }));
    const providers = await Promise.all(cookies.map(() => addProvider(db, { timeZone: 'UTC', week })));
    const serviceId = await sixtyMinutes(db);
    const first = Math.ceil((Date.now() + 48 * hour) / hour) * hour;
    // Books once, since the bare client's copies count as its sessions to come.
    const template = cookies.length - 1;
    let made = 0;
    const wishes = (count: number): Wish[] =>
      Array.from({ length: count }, () => {
        const client = made % template;
        const startsAt = new Date(first + Math.floor(made++ / template) * 2 * hour);
        return { client, providerId: providers[client]!.id, startsAt };
      });
    const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
    const http = async ({ client, providerId, startsAt }: Wish): Promise<void> => {
      const wanted = { providerId, serviceId, startsAt: startsAt.toISOString(), durationMinutes: 60 };
      await post(agent, `${url}/api/bookings`, cookies[client]!, bookingOf(wanted));
    };
    await timeOf(wishes(100), inFlight, http);
    await http({ client: template, providerId: providers[template]!.id, startsAt: new Date(first) });
    await jobsDone(pool);
    const pattern = await rowsOf(pool);
    const bare = (wish: Wish) => bookBare(pool, pattern, wish);
    await timeOf(wishes(100), inFlight, bare);
    const [answered, ours, theirs]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      answered.push(await timeOf(wishes(bookingsARound), inFlight, http));
      await jobsDone(pool);
      ours.push(performance.now() - began);
      theirs.push(await timeOf(wishes(bookingsARound), inFlight, bare));
    }
    agent.destroy();
    const ratio = median(theirs.map((time, round) => time / ours[round]!));
    const perSecond = (times: number[]) => Math.round((bookingsARound * 1000) / median(times));
    return [
      {
        name: 'bookings through HTTP',
        value: `${ratio.toFixed(2)} of bare (${perSecond(ours)} against ${perSecond(theirs)} a second, ${inFlight} in flight; answered ${perSecond(answered)} a second)`,
        aim: 'at least half of pipelined statements, letters included',
        met: ratio >= 0.5,
      },
    ];
  } finally {
    await db.updateTable('site_settings').set({ max_daily_bookings }).execute();
    await db.destroy();
  }
}

/** Waits for the letters of earlier bookings. */
async function jobsDone(pool: pg.Pool): Promise<void> {
  const due = `select 1 from jobs.job where state < 'completed' and start_after <= now() limit 1`;
  while ((await pool.query(due)).rows.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Rows of one stored booking, which the bare client copies with new ids and times. */
interface Pattern {
  sessionToken: unknown;
  mails: Record<string, unknown>[];
  booking: Record<string, unknown>;
  appointment: Record<string, unknown>;
  reminders: Record<string, unknown>[];
  audit: Record<string, unknown>;
  jobs: Record<string, unknown>[];
}

async function rowsOf(pool: pg.Pool): Promise<Pattern> {
  const all = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await pool.query<Record<string, unknown>>(text, values)).rows;
  const [booking] = await all('select * from bookings order by id desc limit 1');
  const [appointment] = await all('select * from appointments where booking_id = $1', [booking!.id]);
  const reminders = await all('select * from reminders where appointment_id = $1', [appointment!.id]);
  const [entry] = await all('select * from audit_entries where subject_id = $1', [booking!.id]);
  const { kind: _kind, ...audit } = entry!;
  const jobs = await all(
    // Far in the future, so the product doesn't run the bare client's jobs.
    `select name, data, now() + interval '1 day' as start_after from jobs.job where data->'payload'->>'bookingId' = $1`,
    [booking!.id],
  );
  // Each key begins with the id of the event.
  const mails = await all(
    `select * from mails where split_part(key, ':', 1) in
       (select data->>'id' from jobs.job where data->'payload'->>'bookingId' = $1)`,
    [booking!.id],
  );
  const [session] = await all('select token from sessions where user_id = $1', [booking!.client_id]);
  return {
    booking: booking!,
    appointment: appointment!,
    reminders,
    audit,
    jobs,
    mails,
    sessionToken: session!.token,
  };
}

async function bookBare(
  pool: pg.Pool,
  pattern: Pattern,
  { client: index, providerId, startsAt }: Wish,
): Promise<void> {
  const [bookingId, appointmentId] = [newId(), newId()];
  const clientId = pattern.booking.client_id;
  const endsAt = new Date(startsAt.getTime() + hour);
  const times = { starts_at: startsAt, ends_at: endsAt };
  const reminders = pattern.reminders.map((row) => ({ ...row, id: newId(), appointment_id: appointmentId }));
  const entryId = newId();
  const notice: Notice = {
    topics: [`person:${String(clientId)}`, `person:${providerId}`],
    message: { type: 'booking.changed', id: appointmentId },
  };
  const jobs = pattern.jobs.map((job) => ({ ...job, id: newId() }));
  const jobIds = jobs.map(({ id }) => id);
  const client = await pool.connect();
  try {
    // The connection pipelines: each of these is one round trip.
    await Promise.all([
      client.query(
        `select users.id, role, suspended_at, sessions.updated_at from sessions
           join users on users.id = user_id join profiles on profiles.id = user_id where token = $1`,
        [pattern.sessionToken],
      ),
      client.query(
        `insert into rate_limits (key, window_start, hits) values ($1, $2, 1)
           on conflict (key) do update set hits = rate_limits.hits + 1`,
        [`bare:${providerId}`, new Date()],
      ),
    ]);
    await Promise.all([
      client.query('begin'),
      ...reads(client, { clientId: String(clientId), index, providerId, ...times }),
    ]);
    await Promise.all([
      insert(client, 'bookings', [{ ...pattern.booking, id: bookingId, idempotency_key: newId() }]),
      insert(client, 'appointments', [
        {
          ...pattern.appointment,
          ...times,
          id: appointmentId,
          booking_id: bookingId,
          provider_id: providerId,
          blocked_until: new Date(endsAt.getTime() + hour / 4),
        },
      ]),
      // Only the provider's time is held: the template client would clash with itself.
      insert(client, 'participants', [
        { appointment_id: appointmentId, person_id: providerId, ...times, held: true },
        { appointment_id: appointmentId, person_id: clientId, ...times, held: false },
      ]),
      ...(reminders.length > 0 ? [insert(client, 'reminders', reminders)] : []),
      insert(client, 'audit_entries', [{ ...pattern.audit, id: entryId, subject_id: bookingId }]),
      insert(client, 'audit_personal', [{ entry_id: entryId, address: '127.0.0.1' }]),
      ...jobs.map((job) => insert(client, 'jobs.job', [job])),
      client.query(`insert into outbox (channel, payload) values ('realtime', $1)`, [JSON.stringify(notice)]),
      client.query('commit'),
    ]);
    await Promise.all([
      client.query('begin'),
      insert(
        client,
        'mails',
        pattern.mails.map((mail) => ({ ...mail, id: newId(), key: newId(), attachments: '[]' })),
      ),
      client.query(`update jobs.job set state = 'completed', completed_on = now() where id = any($1)`, [
        jobIds,
      ]),
      client.query('commit'),
    ]);
  } finally {
    client.release();
  }
}

/** The locks, and the fewest columns that decide whether a time is free. */
function reads(
  client: pg.PoolClient,
  wish: { clientId: string; index: number; providerId: string; starts_at: Date; ends_at: Date },
): Promise<unknown>[] {
  const { clientId, index, providerId, starts_at, ends_at } = wish;
  return [
    client.query(
      'select pg_advisory_xact_lock(hashtextextended($1, 0)), pg_advisory_xact_lock(hashtextextended($2, 0))',
      // Each wish's own client, unlike the template.
      [`client ${index}`, providerId],
    ),
    client.query(
      `select listed, time_zone, session_lengths, price_cents, buffer_time_minutes from providers
         join provider_services on provider_id = providers.id join services on services.id = service_id
         cross join site_settings where providers.id = $1`,
      [providerId],
    ),
    client.query('select weekday, from_time, to_time from weekly_hours where provider_id = $1', [providerId]),
    client.query(
      `select starts_at, blocked_until from appointments
         where provider_id = $1 and status <> 'cancelled' and starts_at between $2 and $3`,
      [providerId, new Date(starts_at.getTime() - 24 * hour), new Date(starts_at.getTime() + 24 * hour)],
    ),
    client.query(
      `select starts_at, ends_at from participants
         where person_id = $1 and held and tstzrange(starts_at, ends_at) && tstzrange($2, $3)`,
      [clientId, starts_at, ends_at],
    ),
  ];
}

async function insert(
  client: pg.PoolClient,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const columns = Object.keys(rows[0]!);
  const values = rows.flatMap((row) => Object.values<unknown>(row));
  const tuples = rows.map(
    (_, row) => `(${columns.map((_column, column) => `$${row * columns.length + column + 1}`).join(',')})`,
  );
  await client.query(`insert into ${table} (${columns.join(',')}) values ${tuples.join(',')}`, values);
}
