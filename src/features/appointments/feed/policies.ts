import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { digestHex } from '#/platform/tokens.ts';

/**
 * Returns the feed's owner; possessing the token grants access. Throws `not_found` for unknown tokens, suspended
 * accounts and anyone signed in as another person.
 */
export async function requireFeedOwner(
  ctx: Ctx,
  token: string,
): Promise<{ personId: string; readAt: Date | null }> {
  const row = await ctx.db
    .selectFrom('calendar_feeds')
    .innerJoin('profiles', 'profiles.id', 'calendar_feeds.person_id')
    .select(['person_id as personId', 'read_at as readAt'])
    .where('token_hash', '=', digestHex(token))
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
  if (!row || (ctx.actor.kind === 'person' && ctx.actor.id !== row.personId)) {
    throw new AppError('not_found', 'calendar_feed');
  }
  return row;
}
