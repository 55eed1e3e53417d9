import { isoOf } from '#/kernel/iso.ts';
import { photoPath } from '#/features/accounts/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { ClientInvitation } from './contract.ts';
import { requireClaim } from './policies.ts';

/** Reads an invitation; reveals the provider only to callers who can accept. */
export async function readClaim(ctx: Ctx, token: string): Promise<ClientInvitation> {
  const { personId, providerId, state } = await requireClaim(ctx, token);
  if (state !== 'open') return { state, offer: null };
  const provider = await ctx.db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .select(['full_name', 'title', 'photo_id', 'providers.time_zone'])
    .where('providers.id', '=', providerId)
    .executeTakeFirstOrThrow();
  const sessions = await ctx.db
    .selectFrom('appointments')
    .select(['starts_at', 'ends_at', 'session_type'])
    .where('client_id', '=', personId)
    .where('status', 'in', ['pending', 'confirmed'])
    .where('ends_at', '>', new Date(ctx.now().epochMilliseconds))
    .orderBy('starts_at')
    .execute();
  return {
    state,
    offer: {
      provider: {
        name: provider.full_name,
        title: provider.title,
        photoUrl: photoPath(provider.photo_id),
      },
      sessions: sessions.map((row) => ({
        startsAt: isoOf(row.starts_at),
        endsAt: isoOf(row.ends_at),
        timeZone: provider.time_zone,
        sessionType: row.session_type,
      })),
      signsIn: ctx.actor.kind !== 'person',
    },
  };
}
