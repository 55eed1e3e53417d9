import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import { flagsFor, type FlagHolder } from '#/features/settings/flags/queries.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import type { OpenLink } from '#/platform/files/files.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import type { Profile, Viewer } from './contract.ts';
import { requirePerson } from './policies.ts';
import {
  byPreference,
  lockDays,
  preferenceColumns,
  preferences,
  undoHours,
  type SignInAccount,
} from './rules.ts';
import type { EmailChangeRequestsTable, ProfilesTable } from './tables.ts';

/** The signed-in person with their acting role. */
export async function viewerOf(ctx: Ctx): Promise<Viewer | null> {
  const { actor } = ctx;
  if (actor.kind !== 'person') return null;
  const person = (await personsOf(ctx, [actor.id])).get(actor.id);
  return person ? { ...person, role: actor.role } : null;
}

/** Throws `not_found` (`person`). */
export async function personOf(ctx: Ctx, id: string): Promise<Viewer> {
  const [row] = await personRow(ctx.db, { id });
  return requirePerson(row && viewerFrom(row));
}

const personRow = compiledOnce((db, { id }: { id: string }) => personRows(db).where('users.id', '=', id));

export async function personsOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Viewer>> {
  if (ids.length === 0) return new Map();
  const rows = await personRows(ctx.db).where('users.id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, viewerFrom(row)]));
}

function personRows(db: Ctx['db']) {
  return db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select([
      'users.id',
      'email',
      'email_verified as emailVerified',
      'full_name as fullName',
      'role',
      'time_zone as timeZone',
      'keep_discreet as keepDiscreet',
      'photo_id',
      'delete_after',
    ])
    .select(hasPassword().as('hasPassword'));
}

function viewerFrom({
  photo_id,
  delete_after,
  ...row
}: Awaited<ReturnType<ReturnType<typeof personRows>['executeTakeFirstOrThrow']>>): Viewer {
  return { ...row, photoUrl: photoPath(photo_id), deleteAfter: delete_after?.toISOString() ?? null };
}

/** Returns how an account signs in. Requires proof of mailbox ownership. */
export async function findSignInAccount(
  { db }: Ctx,
  whose: { email: string } | { id: string },
  { locked = false } = {},
): Promise<SignInAccount | null> {
  const row = await db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select(['users.id', 'role', 'suspended_at', 'links_ended_at', hasPassword().as('hasPassword')])
    .where((eb) => ('id' in whose ? eb('users.id', '=', whose.id) : eb('email', '=', whose.email)))
    .$if(locked, (rows) => rows.forNoKeyUpdate('profiles'))
    .executeTakeFirst();
  if (!row) return null;
  const { suspended_at, links_ended_at, ...account } = row;
  return { ...account, suspended: suspended_at !== null, linksEnded: links_ended_at?.getTime() ?? null };
}

/** Ended links, suspended and erased accounts open nothing. */
export async function opensLink({ db }: Ctx, { personId, made }: Omit<OpenLink, 'until'>): Promise<boolean> {
  const found = await db
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', personId)
    .where('suspended_at', 'is', null)
    .where('erased_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('links_ended_at', 'is', null), eb('links_ended_at', '<', new Date(made.epochMilliseconds))]),
    )
    .executeTakeFirst();
  return found !== undefined;
}

function hasPassword() {
  return sql<boolean>`exists (select from credentials where user_id = users.id and password is not null)`;
}

export async function passwordHashOf({ db }: Ctx, userId: string): Promise<string | undefined> {
  const [row] = await passwordRow(db, { userId });
  return row?.password ?? undefined;
}

const passwordRow = compiledOnce((db, { userId }: { userId: string }) =>
  db
    .selectFrom('credentials')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential'),
);

/** Returns true if someone may sign in from another program, such as a mobile app. */
export async function mayUsePrograms(ctx: Ctx, person: NonNullable<FlagHolder>): Promise<boolean> {
  return (await flagsFor(ctx, person)).includes('mobile_app_access');
}

/** Excludes unclaimed accounts; expects a profile `p`. */
export function isClaimed(): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select from users as unclaimed where unclaimed.id = p.id and unclaimed.email like '%@unclaimed.invalid')`;
}

/** Returns when the sign-in block after an administrator's email change ends, or null. */
export async function blockedUntil(ctx: Ctx, userId: string): Promise<Temporal.Instant | null> {
  return openUntil(ctx, userId, undoHours);
}

/** Throws `forbidden` (`address_held`) while sign-in is blocked. */
export async function requireNotHeld(ctx: Ctx, userId: string): Promise<void> {
  refuseHeld(await blockedUntil(ctx, userId));
}

/** Throws `forbidden` (`address_held`). */
export function refuseHeld(until: Temporal.Instant | null): void {
  if (until) throw new AppError('forbidden', 'address_held', { data: { until: until.toString() } });
}

/**
 * Throws `forbidden` (`address_changed`) while a change away from this address can be undone: another account using it
 * would prevent the undo.
 */
export async function requireNoUndo(ctx: Ctx, address: string): Promise<void> {
  const since = ctx.now().subtract({ hours: undoHours });
  const change = await ctx.db
    .selectFrom('address_changes')
    .select('changed_at')
    .where('former_address', '=', address)
    .where('token', 'is not', null)
    .where('changed_at', '>', new Date(since.epochMilliseconds))
    .orderBy('changed_at', 'desc')
    .executeTakeFirst();
  if (!change) return;
  const until = Temporal.Instant.fromEpochMilliseconds(change.changed_at.getTime()).add({ hours: undoHours });
  throw new AppError('forbidden', 'address_changed', { data: { until: until.toString() } });
}

/**
 * Throws `precondition` (`private_locked`) for private data while an administrator's email change is recent and
 * unconfirmed: someone else may be signed in.
 */
export async function requireUnlocked(ctx: Ctx, userId: string): Promise<void> {
  const until = await privateLockedUntil(ctx, userId);
  if (until) throw new AppError('precondition', 'private_locked', { data: { until: until.toString() } });
}

/** Returns when an administrator's unconfirmed email change stops locking private data, or null. */
export async function privateLockedUntil(ctx: Ctx, userId: string): Promise<Temporal.Instant | null> {
  return openUntil(ctx, userId, 24 * lockDays);
}

/** Returns when the account's latest open change reaches this age, or null if past or absent. */
async function openUntil(ctx: Ctx, userId: string, hours: number): Promise<Temporal.Instant | null> {
  const [last] = await lastChange(ctx.db, { userId });
  if (!last?.at) return null;
  const until = Temporal.Instant.fromEpochMilliseconds(last.at.getTime()).add({ hours });
  return Temporal.Instant.compare(ctx.now(), until) < 0 ? until : null;
}

const lastChange = compiledOnce((db, { userId }: { userId: string }) =>
  db
    .selectFrom('address_changes')
    .select(({ fn }) => fn.max('changed_at').as('at'))
    .where('user_id', '=', userId)
    .where('by_owner', '=', false),
);

export type EmailChangeRequest = Selectable<EmailChangeRequestsTable>;

export async function emailChangeOf(
  { db, now }: Ctx,
  whose: { userId: string } | { id: string },
): Promise<EmailChangeRequest | undefined> {
  return db
    .selectFrom('email_change_requests')
    .selectAll()
    .where((eb) => ('id' in whose ? eb('id', '=', whose.id) : eb('user_id', '=', whose.userId)))
    .where('expires_at', '>', new Date(now().epochMilliseconds))
    .executeTakeFirst();
}

/** Encrypted `profiles` columns and their bindings. */
export const sealed = {
  tradition: sealedColumn('profiles', 'sealed_tradition'),
  focus: sealedColumn('profiles', 'sealed_focus'),
} as const;

const usualTradition = 'SDA';

type FaithRow = Pick<
  Selectable<ProfilesTable>,
  'id' | 'spiritual_tradition' | 'mental_health_focus' | 'sealed_tradition' | 'sealed_focus'
>;

export function faithOf({ keyring }: Pick<Ctx, 'keyring'>, row: FaithRow) {
  const { id, spiritual_tradition, mental_health_focus: clear } = row;
  const focus = sealed.focus.openIfAny(keyring, id, row.sealed_focus);
  return {
    tradition:
      sealed.tradition.openOrClear(keyring, id, row.sealed_tradition, spiritual_tradition) ?? usualTradition,
    focusAreas: clear.length > 0 || focus === null ? clear : (JSON.parse(focus) as string[]),
  };
}

/** Throws `not_found` (`person`). */
export async function profileOf(ctx: Ctx, id: string): Promise<Profile> {
  const found = await ctx.db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.id')
    .where('profiles.id', '=', id)
    .select([
      'full_name as fullName',
      'email',
      'profiles.id',
      'spiritual_tradition',
      'mental_health_focus',
      'sealed_tradition',
      'sealed_focus',
      'time_zone as timeZone',
      ...preferenceColumns,
      'photo_id',
    ])
    .executeTakeFirst();
  const row = requirePerson(found);
  const { tradition, focusAreas } = faithOf(ctx, row);
  return {
    fullName: row.fullName,
    email: row.email,
    spiritualTradition: tradition,
    mentalHealthFocus: focusAreas,
    timeZone: row.timeZone,
    ...byPreference((preference) => row[preferences[preference].column]),
    photoUrl: photoPath(row.photo_id),
  };
}

/** A new path per photo keeps caches correct. */
export function photoPath(photoId: string | null): string | null {
  return photoId && `/files/${photoId}`;
}
