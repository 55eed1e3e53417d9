import { sql, type Kysely } from 'kysely';
import { newId, systemNow } from '#/platform/clock.ts';
import type { Ctx, Database } from '#/platform/context.ts';
import { refreshOpenings } from '#/features/specialist-search/openings/commands.ts';
import { recount } from './recount.ts';

const languages = ['English', 'Spanish', 'Korean', 'French', 'Polish', 'Yoruba', 'Hindi', 'Arabic'];
const firstNames =
  'ruth boaz naomi esther daniel miriam jonah hannah samuel abigail joel lydia silas priscilla titus dorcas'.split(
    ' ',
  );
const lastNames =
  'whitfield reyes okafor kim novak adeyemi larsen haddad costa murphy tanaka weber singh moreau petrov jensen'.split(
    ' ',
  );
const traditions = ['Baptist', 'SDA', 'Lutheran', 'Catholic', 'Orthodox', 'Pentecostal', 'Methodist'];

/** The product's job refreshes this many specialists per run. */
const refreshedPerRun = 1_000;

/**
 * Fills the database up to so many specialists, each with new clients and with appointments in the past and coming, and
 * refreshes the openings as the product's job does. They joined over a thousand days. Specialists' emails are
 * `bench-1@people.example` and so on; clients are called `Client 1` and so on.
 */
export async function fillSpecialists(
  db: Kysely<Database>,
  size: { specialists: number; clientsEach: number; appointmentsEach: number; coming: number },
): Promise<void> {
  const { specialists, clientsEach, appointmentsEach, coming } = size;
  await db.transaction().execute(async (tx) => {
    // Skips foreign key checks, which would take most of the time.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`set local maintenance_work_mem = '512MB'`.execute(tx);
    // Locked first, so that the product's jobs can't deadlock with this.
    await sql`set local deadlock_timeout = '1min'`.execute(tx);
    await sql`lock table users, appointments, participants`.execute(tx);
    // Rebuilding indexes at the end is much faster.
    const indexes = await sql<{ name: string; made: string }>`
      select indexname as name, indexdef as made from pg_indexes
      where tablename in ('appointments', 'participants', 'users')
        and indexname not in (select conname from pg_constraint)`.execute(tx);
    for (const { name } of indexes.rows) await sql`drop index ${sql.ref(name)}`.execute(tx);
    await sql`create temporary table made on commit drop as
      select uuidv7() as id, n, row_number() over (order by n) - 1 as place
      from generate_series(1, ${specialists}::int) n
      where n > (select count(*) from providers where slug like 'bench-%')`.execute(tx);
    await sql`create temporary table takers on commit drop as
      select uuidv7() as id, n * ${clientsEach}::int - k as n, place * ${clientsEach}::int + k as place
      from made, generate_series(0, ${clientsEach}::int - 1) k`.execute(tx);
    await sql`insert into users (id, name, email)
      select id, 'Client ' || n, (${firstNames}::text[])[1 + (hashint4(n::int) & 15)] || '.'
          || (${lastNames}::text[])[1 + (hashint4(n::int + 1) & 15)] || n || '@people.example' from takers`.execute(
      tx,
    );
    await sql`insert into profiles (id, role, full_name, created_at)
      select id, 'client', 'Client ' || n, ${joined} from takers`.execute(tx);
    await sql`insert into users (id, name, email)
      select id, 'Specialist ' || n, 'bench-' || n || '@people.example' from made`.execute(tx);
    await sql`insert into profiles (id, role, full_name, created_at)
      select id, 'doctor', 'Specialist ' || n, ${joined} from made`.execute(tx);
    await sql`insert into providers (id, created_at, slug, kind, title, specialties, experience, location, bio,
        time_zone, languages, traditions, faith_part, session_types)
      select id, ${joined}, 'bench-' || lpad(((n * 7919) % 1000003)::text, 7, '0'),
        case when n % 5 < 3 then 'doctor' else 'pastor' end, 'Psychologist', '{Grief,Anxiety}', '10 years',
        'Town ' || n % 50, repeat('Listens, and asks when it helps. ', 8), 'America/New_York',
        case when n % 3 = 0 then array['English', ${language}] else array['English'] end,
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
    await sql`update providers set weekly_minutes = weekly_minutes_of(id) where id in (select id from made)`.execute(
      tx,
    );
    await sql`insert into date_exceptions (provider_id, date)
      select id, current_date + ahead from made, generate_series(0, 11) ahead where ahead < ${spread} % 12`.execute(
      tx,
    );
    await sql`insert into bookings (id, client_id, idempotency_key, fingerprint, recurrence, created_at)
      select made.id, takers.id, made.id, '', 'one_time', now()
      from made join takers on takers.place = made.place`.execute(tx);
    // The primes give each client sessions with many specialists, but never two at once.
    await sql`insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id,
        status, kind, session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name,
        contact_email, client_time_zone, reminder_minutes, created_at, updated_at)
      select uuidv7(), made.id, 1, 1, takers.id, made.id, 'individuals',
        case when k < ${coming}::int then 'confirmed' else 'completed' end, 'follow-up', 'online', at, at + interval '1 hour',
        at + interval '75 minutes', at::date, 9000, 'Bench', 'bench@people.example', 'UTC', 15, now(), now()
      from made cross join generate_series(0, ${appointmentsEach - 1}::int) k
        cross join (select count(*) from takers) clients
        join takers on takers.place = (made.place * 7919 + k * 104729) % clients.count,
        lateral (select date_trunc('day', now()) + (case when k < ${coming}::int then 1 + k / 2 else -(k / 2) end) * interval '1 day'
          + (14 + 4 * (k % 2) + ${spread} % 3) * interval '1 hour' as at) times`.execute(tx);
    await sql`insert into participants
      select appointments.id, unnest(array[client_id, provider_id]), starts_at, ends_at, status = 'confirmed'
      from appointments join made on made.id = provider_id`.execute(tx);
    for (const { made } of indexes.rows) await sql.raw(made).execute(tx);
    await sql`select openings_begin(id) from made`.execute(tx);
    await recount(tx);
  });
  await db.connection().execute(async (one) => {
    await sql`set statement_timeout = 0`.execute(one);
    await sql`vacuum analyze`.execute(one);
    await sql`reset statement_timeout`.execute(one);
  });
  for (let left = specialists; left > 0; left -= refreshedPerRun) await refreshOpenings(contextOf(db));
}

const joined = sql`now() - n % 1000 * interval '1 day'`;

/** Keeps free times independent of languages. */
const spread = sql`(hashint4(made.n::int) & 1023)`;

const language = sql`(${languages}::text[])[1 + n % 8]`;

function contextOf(db: Kysely<Database>): Ctx {
  return { db, now: systemNow, newId, actor: { kind: 'system' }, requestId: 'bench' } as unknown as Ctx;
}
