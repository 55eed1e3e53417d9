import { sql, type RawBuilder } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Interval } from '#/kernel/interval.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { hideFromPlanner } from '#/platform/db/hide-from-planner.ts';
import { blockBounds, blockRows } from '#/features/availability/blocks/queries.ts';
import {
  diaryKey,
  scheduleIn,
  scheduleRow,
  scheduleSince,
  schedulesOf,
} from '#/features/availability/queries.ts';
import type { Schedule } from '#/features/availability/rules.ts';
import type { AppointmentStatus } from '../appointment/contract.ts';
import { holdsTime } from '../appointment/rules.ts';
import type { BusyTime, Diary } from './rules.ts';

const hour = 3_600_000;

/** Longest block: 240-minute session plus 120-minute buffer, the contract and settings limits. */
const longestBlock = 6 * hour;

/** Local days extend at most this far past a span; needed to count whole days. */
const localDay = 50 * hour;

/**
 * Locks these diaries until the transaction ends. Every appointment change must lock before reading. Sorted order
 * prevents deadlocks.
 */
export async function lockDiaries(tx: TxCtx, people: readonly string[]): Promise<void> {
  const locks = keysOf(people).map((key) => sql`pg_advisory_xact_lock(${key})`);
  await sql`select ${sql.join(locks)}`.execute(tx.db);
}

/**
 * Tries to lock these diaries without waiting and returns whether all were free. Stops at the first taken lock, in
 * sorted order, so waiting afterwards can't deadlock.
 */
export async function tryLockDiaries(tx: TxCtx, people: readonly string[]): Promise<boolean> {
  const all = keysOf(people).reduceRight<RawBuilder<boolean>>(
    (rest, key) => sql`case when pg_try_advisory_xact_lock(${key}) then ${rest} else false end`,
    sql`true`,
  );
  const { rows } = await sql<{ locked: boolean }>`select ${all} as locked`.execute(tx.db);
  return rows[0]!.locked;
}

function keysOf(people: readonly string[]): RawBuilder<unknown>[] {
  return [...new Set(people)].toSorted().map(diaryKey);
}

interface Parties {
  clientId: string;
  providerId: string;
}

/** Participants besides the two parties: guests who accepted. All appointments have the same parties. */
export function guestsIn({ db }: Pick<Ctx, 'db'>, { clientId, providerId }: Parties, ids: readonly string[]) {
  return db
    .selectFrom('participants')
    .where('appointment_id', 'in', ids)
    .where('person_id', 'not in', [clientId, providerId]);
}

export async function guestIdsOf(
  ctx: Ctx,
  { appointmentId, ...parties }: Parties & { appointmentId: string },
): Promise<string[]> {
  const rows = await guestsIn(ctx, parties, [appointmentId]).select('person_id').execute();
  return rows.map(({ person_id }) => person_id);
}

interface Commitments {
  entries: Pick<Diary, 'busy' | 'appointments'>;
  own: Interval[];
  guests: Interval[];
}

export async function commitmentsOf(
  ctx: Ctx,
  { providerId, clientId }: Parties,
  span: Interval,
  moving: readonly string[] = [],
): Promise<Commitments> {
  const { db } = ctx;
  const bounds = boundsOf(span);
  return commitmentsIn(
    await entryRows(db, providerId, bounds, moving)
      .unionAll(heldRows(db, clientId, bounds, moving))
      .$if(moving.length > 0, (rows) =>
        rows.unionAll(guestRows(db, { providerId, clientId }, bounds, moving)),
      )
      .execute(),
  );
}

function commitmentsIn(rows: readonly TimeRow[]): Commitments {
  const of = (side: 'provider' | 'client' | 'guest') => rows.filter((row) => row.side === side);
  return {
    entries: entriesIn(of('provider')),
    own: of('client').map(intervalOf),
    guests: of('guest').map(intervalOf),
  };
}

/** Reads a provider's diary around a range, excluding sessions being moved. */
export async function entriesOf(
  ctx: Ctx,
  providerId: string,
  span: Interval,
  moving: readonly string[] = [],
): Promise<Pick<Diary, 'busy' | 'appointments'>> {
  return entriesIn(await entryRows(ctx.db, providerId, boundsOf(span), moving).execute());
}

interface TimeRow {
  side: string;
  /** Null for a provider's blocked time. */
  status: AppointmentStatus | null;
  start: number;
  end: number;
  until: number;
}

/** Epoch milliseconds, for JSON and thousands of rows. */
const ms = (column: 'starts_at' | 'ends_at' | 'blocked_until') =>
  sql<number>`round(date_part('epoch', ${sql.ref(column)}) * 1000)`;

function entriesIn(rows: readonly TimeRow[]): Pick<Diary, 'busy' | 'appointments'> {
  return {
    busy: rows
      .filter(({ status }) => status === null || holdsTime(status))
      .map((row) => ({ ...intervalOf(row), sessionEnd: row.status === null ? null : row.end })),
    appointments: rows.flatMap(({ status, start }) => (status === null ? [] : start)),
  };
}

function intervalOf({ start, until }: TimeRow): Interval {
  return { start, end: until };
}

/** Bounds of the sessions and blocks that a span needs. */
function boundsOf(span: Interval) {
  return {
    ...blockBounds({ start: span.start, end: span.end + longestBlock }),
    firstDay: new Date(span.start - localDay),
    lastDay: new Date(span.end + localDay),
  };
}

type Bounds = ReturnType<typeof boundsOf>;

function entryRows(db: Ctx['db'], providerId: string, bounds: Bounds, moving: readonly string[]) {
  return db
    .selectFrom('appointments')
    .select([
      sql<string>`'provider'`.as('side'),
      sql<AppointmentStatus | null>`status`.as('status'),
      ms('starts_at').as('start'),
      ms('ends_at').as('end'),
      ms('blocked_until').as('until'),
    ])
    .where('provider_id', '=', hideFromPlanner(providerId, 'uuid'))
    .where('status', '<>', sql.lit('cancelled'))
    .where('starts_at', '>', hideFromPlanner(bounds.firstDay, 'timestamptz'))
    .where('starts_at', '<', hideFromPlanner(bounds.lastDay, 'timestamptz'))
    .$if(moving.length > 0, (rows) => rows.where('id', 'not in', moving))
    .unionAll(
      blockRows({ db }, bounds)
        .where('provider_id', '=', providerId)
        .select([
          sql<string>`'provider'`.as('side'),
          sql<AppointmentStatus | null>`null`.as('status'),
          ms('starts_at').as('start'),
          ms('ends_at').as('end'),
          ms('ends_at').as('until'),
        ]),
    );
}

function heldRows(db: Ctx['db'], personId: string, bounds: Bounds, moving: readonly string[]) {
  return heldAround(db, 'client', bounds)
    .where('person_id', '=', hideFromPlanner(personId, 'uuid'))
    .$if(moving.length > 0, (rows) => rows.where('appointment_id', 'not in', moving));
}

function guestRows(db: Ctx['db'], parties: Parties, bounds: Bounds, moving: readonly string[]) {
  const guests = guestsIn({ db }, parties, moving).select('person_id');
  return heldAround(db, 'guest', bounds)
    .where('person_id', 'in', guests)
    .where('appointment_id', 'not in', moving);
}

function heldAround(db: Ctx['db'], side: 'client' | 'guest', { from, to }: Bounds) {
  const around = sql<boolean>`tstzrange(starts_at, ends_at) && tstzrange(${from}, ${to})`;
  return (
    db
      .selectFrom('participants')
      .select([
        sql<string>`${sql.lit(side)}`.as('side'),
        sql<AppointmentStatus | null>`'confirmed'`.as('status'),
        ms('starts_at').as('start'),
        ms('ends_at').as('end'),
        ms('ends_at').as('until'),
      ])
      // Matches the exclusion constraint so its index is used, even in generic plans.
      .where('held', '=', sql.lit(true))
      .where(around)
  );
}

/**
 * Reads, in one statement under the lock, everything a booking decision needs: hours, both diaries, earlier sessions
 * together, and any booking under the same key.
 */
export async function bookingContext(
  ctx: Ctx,
  { clientId, providerId, key }: { clientId: string; providerId: string; key: string },
  span: Interval,
): Promise<
  Commitments & {
    /** Null for an unlisted provider. */
    schedule: Schedule | null;
    booking: { id: string; fingerprint: string } | null;
    metBefore: boolean;
    /** The client's sessions to come, with anyone. */
    ahead: number;
  }
> {
  const [found] = await contextRows(ctx.db, {
    clientId,
    providerId,
    key,
    since: scheduleSince(ctx),
    now: new Date(ctx.now().epochMilliseconds),
    ...boundsOf(span),
  });
  const row = found!;
  return {
    ...commitmentsIn(row.times),
    schedule: row.schedule && scheduleIn(row.schedule),
    booking: row.booking,
    metBefore: Boolean(row.met_before),
    ahead: row.ahead!,
  };
}

const contextRows = compiledOnce(
  (db, wanted: { clientId: string; providerId: string; key: string; since: string; now: Date } & Bounds) => {
    const { clientId, providerId, key, now } = wanted;
    return db.selectNoFrom(({ exists, selectFrom, fn }) => [
      exists(
        selectFrom('appointments')
          .select('id')
          .where('client_id', '=', clientId)
          .where('provider_id', '=', providerId)
          // Literal, so generic plans expect matches and stop at the first one.
          .where('status', '<>', sql.lit('cancelled')),
      ).as('met_before'),
      selectFrom('appointments')
        .select(fn.countAll<number>().as('count'))
        .where('client_id', '=', clientId)
        .where('status', 'in', [
          sql.lit<AppointmentStatus>('pending'),
          sql.lit<AppointmentStatus>('confirmed'),
        ])
        .where('starts_at', '>', now)
        .as('ahead'),
      jsonObjectFrom(
        selectFrom('bookings')
          .select(['id', 'fingerprint'])
          .where('client_id', '=', clientId)
          .where('idempotency_key', '=', key),
      ).as('booking'),
      jsonArrayFrom(entryRows(db, providerId, wanted, []).unionAll(heldRows(db, clientId, wanted, []))).as(
        'times',
      ),
      // The provider may have left meanwhile.
      jsonObjectFrom(scheduleRow(db, wanted).where('listed', '=', true)).as('schedule'),
    ]);
  },
);

/** Listed providers' diaries around a range. */
export async function diariesOf(
  ctx: Ctx,
  providerIds: readonly string[],
  span: Interval,
): Promise<Map<string, Diary>> {
  if (providerIds.length === 0) return new Map();
  const [schedules, entries] = await Promise.all([
    schedulesOf(ctx, providerIds),
    entriesOfAll(ctx, providerIds, span),
  ]);
  const none = { busy: [], appointments: [] };
  return new Map([...schedules].map(([id, schedule]) => [id, { schedule, ...(entries.get(id) ?? none) }]));
}

async function entriesOfAll(
  ctx: Ctx,
  providerIds: readonly string[],
  span: Interval,
): Promise<Map<string, Pick<Diary, 'busy' | 'appointments'>>> {
  const from = new Date(span.start - localDay);
  const to = new Date(span.end + localDay);
  interface Row extends BusyTime {
    id: string;
    status: AppointmentStatus | null;
  }
  const { rows } = await sql<Row>`
    select provider_id as id, status, ${ms('starts_at')} as start, ${ms('blocked_until')} as end,
      ${ms('ends_at')} as "sessionEnd"
    from appointments
    where provider_id = any(${providerIds}::uuid[]) and status <> 'cancelled'
      and starts_at > ${from} and starts_at < ${to}
    union all
    select provider_id, null, ${ms('starts_at')}, ${ms('ends_at')}, null
    from time_blocks
    where provider_id = any(${providerIds}::uuid[]) and ends_at > ${from} and starts_at < ${to}`.execute(
    ctx.db,
  );
  const entries = new Map<string, { busy: BusyTime[]; appointments: number[] }>();
  for (const { id, status, start, end, sessionEnd } of rows) {
    let own = entries.get(id);
    if (!own) entries.set(id, (own = { busy: [], appointments: [] }));
    if (status === null || holdsTime(status)) own.busy.push({ start, end, sessionEnd });
    if (status !== null) own.appointments.push(start);
  }
  return entries;
}
