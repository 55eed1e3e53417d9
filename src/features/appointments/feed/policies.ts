import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { digestHex } from '#/platform/tokens.ts';

/**
 * Returns the feed's owner; possessing the token grants access. Throws `not_found` for unknown tokens and for anyone
 * signed in as another person.
 */
export async function requireFeedOwner(
  ctx: Ctx,
  token: string,
): Promise<{ personId: string; readAt: Date | null }> {
  const row = await ctx.db
    .selectFrom('calendar_feeds')
    .select(['person_id as personId', 'read_at as readAt'])
    .where('token_hash', '=', digestHex(token))
    .executeTakeFirst();
  if (!row || (ctx.actor.kind === 'person' && ctx.actor.id !== row.personId)) {
    throw new AppError('not_found', 'calendar_feed');
  }
  return row;
}
