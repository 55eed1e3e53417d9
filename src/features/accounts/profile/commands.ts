import type { Updateable } from 'kysely';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { eachOnce } from '#/kernel/text.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import { authorize } from '#/features/access/rules.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Bytes } from '#/platform/files/files.ts';
import { reencodeImage, type Crop } from '#/platform/files/image.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { refusalOfIssues } from '#/platform/http/validation.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import { signedIn } from '../commands.ts';
import {
  photoQuery,
  type PreferencesInput,
  type Profile,
  type ProfileInput,
  type Viewer,
} from '../contract.ts';
import { personOf, profileOf, sealed } from '../queries.ts';
import { byPreferenceColumn, preferenceColumns } from '../rules.ts';
import type { ProfilesTable } from '../tables.ts';
import { allowances } from '../tries/rules.ts';

/** In pixels. */
const portrait = { width: 512, height: 512 };

export async function ownProfile(ctx: Ctx): Promise<Profile> {
  return profileOf(ctx, signedIn(ctx).id);
}

/** Updates the signed-in person's profile. Throws invalid `unknown_zone` and `practice_zone`. */
export async function updateProfile(ctx: Ctx, input: ProfileInput): Promise<Profile> {
  authorize(ctx.actor, ['manage_own_profile']);
  const { id } = signedIn(ctx);
  requireKnownZone(input.timeZone);
  const { fullName, spiritualTradition: tradition, mentalHealthFocus: focus, timeZone } = input;
  const changed = withoutUndefined({
    full_name: fullName,
    spiritual_tradition: tradition,
    mental_health_focus: focus,
    time_zone: timeZone,
  });
  return transact(ctx, async (tx) => {
    if (Object.keys(changed).length === 0) return profileOf(tx, id);
    await changeProfile(tx, id, {
      ...withoutUndefined({ full_name: fullName, time_zone: timeZone }),
      ...(tradition !== undefined && {
        spiritual_tradition: '',
        sealed_tradition: sealed.tradition.seal(tx.keyring, id, tradition),
      }),
      ...(focus && {
        mental_health_focus: [],
        sealed_focus: sealed.focus.seal(tx.keyring, id, JSON.stringify(eachOnce(focus))),
      }),
    });
    if (input.fullName !== undefined) {
      // Better Auth keeps a copy of the name.
      await tx.db
        .updateTable('users')
        .set({ name: input.fullName, updated_at: new Date(tx.now().epochMilliseconds) })
        .where('id', '=', id)
        .execute();
    }
    await recordDone(tx, {
      action: 'profile_changed',
      subject: { kind: 'person', id },
      details: { changed: Object.keys(changed).join(' ') },
    });
    await notifyScreens(tx, id);
    return profileOf(tx, id);
  });
}

/**
 * Updates the signed-in person's preferences. Throws `invalid` (`unknown_zone`), or `practice_zone` like
 * `changeProfile`.
 */
export async function updatePreferences(ctx: Ctx, input: PreferencesInput): Promise<Viewer> {
  const { id } = signedIn(ctx);
  requireKnownZone(input.timeZone);
  const changed = withoutUndefined({
    time_zone: input.timeZone,
    ...byPreferenceColumn((preference) => input[preference]),
  });
  return transact(ctx, async (tx) => {
    if (Object.keys(changed).length > 0) {
      const before = await preferencesOf(tx, id);
      await changeProfile(tx, id, changed);
      const after = await preferencesOf(tx, id);
      await recordDone(tx, {
        action: 'preferences_changed',
        subject: { kind: 'person', id },
        details: {
          ...changesIn(before.switches, after.switches),
          ...(before.time_zone !== after.time_zone && { time_zone: 'changed' }),
        },
      });
    }
    return personOf(tx, id);
  });
}

async function preferencesOf({ db }: TxCtx, id: string) {
  const { time_zone, ...switches } = await db
    .selectFrom('profiles')
    .select(['time_zone', ...preferenceColumns])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { time_zone, switches };
}

/**
 * Updates profile columns. Throws `invalid` (`practice_zone`) if a specialist's time zone would differ from their
 * practice: a trigger keeps both equal, and only availability settings change it.
 */
export async function changeProfile(
  tx: TxCtx,
  id: string,
  changed: Updateable<ProfilesTable>,
): Promise<void> {
  const { time_zone } = await tx.db
    .updateTable('profiles')
    .set(changed)
    .where('id', '=', id)
    .returning('time_zone')
    .executeTakeFirstOrThrow();
  if (typeof changed.time_zone === 'string' && time_zone !== changed.time_zone)
    throw invalidField('timeZone', 'practice_zone');
}

export function withoutUndefined<T extends object>(columns: T): Partial<T> {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/**
 * Replaces the signed-in person's photo with the uploaded image, cropped to the square in the query. Throws invalid
 * with the problem of the `file`, as named by `redraw`, or of the query; rate_limited `too_many_tries`.
 */
export async function changePhoto(
  ctx: Ctx,
  { query, body }: { query: URLSearchParams; body: Bytes },
): Promise<Profile> {
  authorize(ctx.actor, ['manage_own_profile']);
  const { id } = signedIn(ctx);
  const crop = cropOf(query);
  const { tries, seconds } = allowances.photos;
  if (!(await countAttempt(ctx.db, `photo:${id}`, tries, seconds, ctx.now())))
    throw new AppError('rate_limited', 'too_many_tries');
  const picture = await reencodeImage({ ownerId: id, body }, portrait, crop);
  const file = { bucket: 'photos', ownerId: id, name: 'photo.webp', body: picture };
  await ctx.files.upload(ctx, file, (tx, stored) => replacePhoto(tx, id, stored.id, 'photo_changed'));
  return profileOf(ctx, id);
}

/** Null means centered. */
function cropOf(query: URLSearchParams): Crop | null {
  if (query.size === 0) return null;
  const asked = Object.fromEntries(query);
  const parsed = photoQuery.safeParse(asked);
  if (!parsed.success) throw refusalOfIssues(parsed.error.issues, asked);
  const { left, top, size } = parsed.data;
  return { left, top, side: size };
}

export async function removePhoto(ctx: Ctx): Promise<Profile> {
  authorize(ctx.actor, ['manage_own_profile']);
  const { id } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    await replacePhoto(tx, id, null, 'photo_removed');
    return profileOf(tx, id);
  });
}

async function replacePhoto(tx: TxCtx, id: string, next: string | null, action: Action): Promise<void> {
  const { photo_id: last } = await tx.db
    .selectFrom('profiles')
    .where('id', '=', id)
    .select('photo_id')
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (!next && !last) return;
  await tx.db.updateTable('profiles').set({ photo_id: next }).where('id', '=', id).execute();
  if (last) await tx.files.remove(tx, [last]);
  await recordDone(tx, { action, subject: { kind: 'person', id } });
  await notifyScreens(tx, id);
}

/** Updates other windows and a provider's public pages. */
async function notifyScreens(tx: TxCtx, id: string): Promise<void> {
  await publish(tx, [`person:${id}`], { type: 'accounts.profile_changed', id });
  const { actor } = tx;
  if (actor.kind === 'person' && (actor.role === 'doctor' || actor.role === 'pastor'))
    await clearPageCache(tx);
}
