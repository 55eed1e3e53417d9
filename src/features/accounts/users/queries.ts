import { sql, type RawBuilder } from 'kysely';
import { invalidField } from '#/kernel/errors.ts';
import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import { matchesAll, usersMatching } from '../names/queries.ts';
import { requirePerson } from '../policies.ts';
import { isClaimed, photoPath } from '../queries.ts';
import { hasFactor, isCovered } from '../second-factor/queries.ts';
import type { ListedUser, ListInput, Cursor } from './contract.ts';
import { countedUpTo, inactiveBefore, statusOf, type UserOrder, type UserStatus } from './rules.ts';

interface UserFilter {
  search: string;
  role?: Role | undefined;
  status?: UserStatus | undefined;
  lacksFactor?: boolean | undefined;
}

export async function userFigures({ db }: Ctx): Promise<{
  users: number;
  doctors: number;
  pastors: number;
  clients: number;
}> {
  const rows = await db
    .selectFrom('profiles as p')
    .where('erased_at', 'is', null)
    .where(isClaimed())
    .groupBy('role')
    .select(['role', sql<number>`count(*)::integer`.as('count')])
    .execute();
  const of = (role: Role) => rows.find((row) => row.role === role)?.count ?? 0;
  return {
    users: rows.reduce((sum, { count }) => sum + count, 0),
    doctors: of('doctor'),
    pastors: of('pastor'),
    clients: of('client'),
  };
}

/** Accounts scanned before switching to the search index. */
const steps = 500;

/** One page; with a cursor if more follow. */
export async function usersPage(
  ctx: Ctx,
  narrowed: UserFilter,
  {
    order,
    descending,
    beyond,
    skip = 0,
    limit,
  }: Pick<ListInput, 'order' | 'descending' | 'beyond' | 'skip' | 'limit'>,
): Promise<{ users: ListedUser[]; beyond: Cursor | null }> {
  const key = sortKeys[order];
  const direction = sql.raw(descending ? 'desc' : 'asc');
  const inOrder = sql`order by ${key.column} ${direction}, p.id ${direction}`;
  const after = beyond
    ? sql`(${key.column}, p.id) ${sql.raw(descending ? '<' : '>')} (${key.read(beyond.value)}, ${beyond.id}::uuid)`
    : sql`true`;
  const fitting = sql`${conditionsOf(ctx, narrowed)} and ${after}`;
  // Literal limits: generic query plans must see that few rows are needed.
  const those = (from: RawBuilder<unknown>, count: number) => sql`
    select ${profileColumns} from ${from} where ${fitting} ${inOrder} limit ${sql.lit(count)} offset ${sql.lit(skip)}`;
  const read = async (profiles: RawBuilder<unknown>, conditions: RawBuilder<unknown>) => {
    const { rows } = await sql<UserRow & { sort_value: string }>`
      select ${columns}, ${key.written} as sort_value
        from (${profiles}) as p cross join lateral (${userColumns} where users.id = p.id offset 0) as users
       where ${conditions} ${inOrder} limit ${sql.lit(limit + 1)}`.execute(ctx.db);
    return rows;
  };
  const words = wordsOf(narrowed);
  const readPage = async () => {
    if (words.length === 0) return read(those(sql`profiles p`, limit + 1), sql`true`);
    // Common words turn up quickly in order; rare ones need the index.
    if (skip === 0) {
      const met = await read(those(sql`profiles p`, steps), matchesAll(words));
      if (met.length > limit) return met;
    }
    return read(those(withWords(words), limit + 1), sql`true`);
  };
  const rows = await readPage();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    users: page.map((row) => userOf(ctx, row)),
    beyond: last ? { id: last.id, value: last.sort_value } : null,
  };
}

export async function countUsers(ctx: Ctx, narrowed: UserFilter): Promise<{ count: number; more: boolean }> {
  const words = wordsOf(narrowed);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select 1 from ${words.length === 0 ? sql`profiles p` : withWords(words)}
       where ${conditionsOf(ctx, narrowed)}
       limit ${sql.lit(countedUpTo + 1)}) as fitting`.execute(ctx.db);
  const { count } = rows[0]!;
  return { count: Math.min(count, countedUpTo), more: count > countedUpTo };
}

/** Returns one account. Throws `not_found` (`person`). */
export async function listedUser(ctx: Ctx, userId: string): Promise<ListedUser> {
  return userOf(ctx, await userRow(ctx, userId));
}

/** Returns an account's current state for viewing or editing. Throws `not_found` (`person`). */
export async function accountOf(
  ctx: Ctx,
  userId: string,
): Promise<ListedUser & { emailVerified: boolean; timeZone: string | null; version: string }> {
  const row = await userRow(ctx, userId);
  return {
    ...userOf(ctx, row),
    emailVerified: row.email_verified,
    timeZone: row.time_zone,
    // A content hash needs no version column.
    version: digest(JSON.stringify([row.full_name, row.email, row.time_zone])),
  };
}

interface UserRow {
  id: string;
  full_name: string;
  email: string;
  email_verified: boolean;
  time_zone: string | null;
  photo_id: string | null;
  role: Role;
  suspended_at: Date | null;
  created_at: Date;
  last_active_at: Date | null;
  delete_after: Date | null;
  second_factor: boolean;
}

const profileColumns = sql`p.id, p.full_name, p.time_zone, p.photo_id, p.role, p.suspended_at, p.created_at,
  p.last_active_at, p.delete_after`;

const columns = sql`${profileColumns}, users.email, users.email_verified,
  ${hasFactor} as second_factor`;

async function userRow(ctx: Ctx, userId: string): Promise<UserRow> {
  const { rows } = await sql<UserRow>`
    select ${columns} from profiles p join users on users.id = p.id
     where p.id = ${userId} and ${present(ctx)}`.execute(ctx.db);
  return requirePerson(rows[0]);
}

/** Excludes erased accounts, overdue deletions and unclaimed clients known only to their specialist. */
function present({ now }: Ctx): RawBuilder<unknown> {
  return sql`p.erased_at is null and (p.delete_after is null or p.delete_after > ${dateOf(now())})
    and ${isClaimed()}`;
}

/** Filter conditions except search words. */
function conditionsOf(ctx: Ctx, { role, status, lacksFactor }: UserFilter): RawBuilder<unknown> {
  const since = dateOf(inactiveBefore(ctx.now()));
  return allOf([
    present(ctx),
    ...(role ? [sql`p.role = ${role}`] : []),
    ...(lacksFactor ? [isCovered(), sql`not ${hasFactor}`] : []),
    ...(status === 'suspended' ? [sql`p.suspended_at is not null`] : []),
    ...(status === 'active' ? [sql`p.suspended_at is null and ${lastActive} >= ${since}`] : []),
    ...(status === 'inactive' ? [sql`p.suspended_at is null and ${lastActive} < ${since}`] : []),
  ]);
}

const userColumns = sql`select users.id, users.name, users.email, users.email_verified from users`;

function withWords(words: readonly string[]): RawBuilder<unknown> {
  return sql`(${usersMatching(words)}) as found join profiles p on p.id = found.id`;
}

function wordsOf({ search }: UserFilter): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}

/** Sorts people who never signed in first: the index replaces nulls with the epoch. */
const lastActive = sql`coalesce(p.last_active_at, '1970-01-01T00:00:00Z'::timestamptz)`;

/** Sort column, cursor encoding and decoding per order; times in microseconds, Postgres's full precision. */
const sortKeys: Readonly<
  Record<
    UserOrder,
    { column: RawBuilder<unknown>; written: RawBuilder<string>; read: (value: string) => RawBuilder<unknown> }
  >
> = {
  name: {
    column: sql`lower(p.full_name)`,
    written: sql<string>`lower(p.full_name)`,
    read: (value) => sql`${value}::text`,
  },
  joined: timeKey(sql`p.created_at`),
  lastActive: timeKey(lastActive),
};

function timeKey(column: RawBuilder<unknown>) {
  return {
    column,
    written: sql<string>`(extract(epoch from ${column}) * 1000000)::bigint::text`,
    read: (value: string) => {
      if (!/^\d{1,16}$/.test(value)) throw invalidField('beyond.value', 'bad_format');
      return sql`'1970-01-01T00:00:00Z'::timestamptz + ${value}::bigint * interval '1 microsecond'`;
    },
  };
}

function userOf(ctx: Ctx, row: UserRow): ListedUser {
  const lastActiveAt =
    row.last_active_at && Temporal.Instant.fromEpochMilliseconds(row.last_active_at.getTime());
  return {
    id: row.id,
    name: row.full_name,
    email: row.email,
    photoUrl: photoPath(row.photo_id),
    role: row.role,
    status: statusOf({ suspended: row.suspended_at !== null, lastActive: lastActiveAt }, ctx.now()),
    joinedAt: row.created_at.toISOString(),
    lastActiveAt: row.last_active_at?.toISOString() ?? null,
    deleteAfter: row.delete_after?.toISOString() ?? null,
    secondFactor: row.second_factor,
  };
}

function dateOf(instant: Temporal.Instant): Date {
  return new Date(instant.epochMilliseconds);
}
