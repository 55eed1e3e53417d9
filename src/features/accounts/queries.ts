import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { Profile, Viewer } from './contract.ts';
import { requirePerson } from './policies.ts';
import type { SignInAccount } from './rules.ts';
import { faithOf } from './sealing/queries.ts';

/** Returns the signed-in person with their acting role. */
export async function viewerOf(ctx: Ctx): Promise<Viewer | null> {
  const { actor } = ctx;
  if (actor.kind !== 'person') return null;
  const person = (await personsOf(ctx, [actor.id])).get(actor.id);
  return person ? { ...person, role: actor.role } : null;
}

/** Throws `not_found` (`person`). */
export async function personOf(ctx: Ctx, id: string): Promise<Viewer> {
  return requirePerson((await personsOf(ctx, [id])).get(id));
}

export async function personsOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Viewer>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .where('users.id', 'in', ids)
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
    .select(hasPassword().as('hasPassword'))
    .execute();
  return new Map(
    rows.map(({ photo_id, delete_after, ...row }) => [
      row.id,
      { ...row, photoUrl: photoPath(photo_id), deleteAfter: delete_after?.toISOString() ?? null },
    ]),
  );
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

function hasPassword() {
  return sql<boolean>`exists (select from credentials where user_id = users.id and password is not null)`;
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
      'keep_discreet as keepDiscreet',
      'session_reminders as sessionReminders',
      'daily_devotionals as dailyDevotionals',
      'community_updates as communityUpdates',
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
    keepDiscreet: row.keepDiscreet,
    sessionReminders: row.sessionReminders,
    dailyDevotionals: row.dailyDevotionals,
    communityUpdates: row.communityUpdates,
    photoUrl: photoPath(row.photo_id),
  };
}

/** Every photo gets a new path, so caches stay correct. */
export function photoPath(photoId: string | null): string | null {
  return photoId && `/files/${photoId}`;
}
