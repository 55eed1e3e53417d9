import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Profile, Viewer } from './contract.ts';

/** The signed-in person as their own pages know them; null for everyone else. */
export async function viewerOf(ctx: Ctx): Promise<Viewer | null> {
  return ctx.actor.kind === 'person'
    ? ((await personsOf(ctx, [ctx.actor.id])).get(ctx.actor.id) ?? null)
    : null;
}

/** One person by id, for what concerns them: mails, names on appointments. Throws not_found. */
export async function personOf(ctx: Ctx, id: string): Promise<Viewer> {
  const person = (await personsOf(ctx, [id])).get(id);
  if (!person) throw new AppError('not_found', 'person');
  return person;
}

/** Persons by id; who is unknown is left out. */
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
    .execute();
  return new Map(
    rows.map(({ photo_id, delete_after, ...row }) => [
      row.id,
      { ...row, photoUrl: photoPath(photo_id), deleteAfter: delete_after?.toISOString() ?? null },
    ]),
  );
}

/** What a person has told about themselves. Throws not_found. */
export async function profileOf(ctx: Ctx, id: string): Promise<Profile> {
  const row = await ctx.db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.id')
    .where('profiles.id', '=', id)
    .select([
      'full_name as fullName',
      'email',
      'spiritual_tradition as spiritualTradition',
      'mental_health_focus as mentalHealthFocus',
      'time_zone as timeZone',
      'keep_discreet as keepDiscreet',
      'session_reminders as sessionReminders',
      'daily_devotionals as dailyDevotionals',
      'community_updates as communityUpdates',
      'photo_id',
    ])
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'person');
  const { photo_id, ...told } = row;
  return { ...told, photoUrl: photoPath(photo_id) };
}

/** The path of a person's photo on this site; every photo has one of its own, so that caches never show an old one. */
export function photoPath(photoId: string | null): string | null {
  return photoId && `/files/${photoId}`;
}
