import type { Role } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireFlag } from '#/features/settings/flags/queries.ts';
import type { Ctx } from '#/platform/context.ts';

declare const minted: unique symbol;

/** The id of a conversation in which the person who acts is one of the two. Only `memberOf` makes one. */
type OwnConversationId = string & { readonly [minted]: 'conversation' };

/** Which of the two somebody is. */
export type Side = 'client' | 'provider';

/** The person who acts, as one of the two of a conversation. */
export interface Member {
  conversationId: OwnConversationId;
  self: Self;
  side: Side;
  otherId: string;
}

/** Who acts, as the scope of everything here; `not_found` where messages are switched off for them. */
export async function corresponding(ctx: Ctx): Promise<Self> {
  const self = selfOf(ctx);
  await requireFlag(ctx, 'direct_messaging');
  return self;
}

/** The role of the person who acts. */
export function roleOf({ actor }: Ctx): Role {
  if (actor.kind !== 'person') throw new AppError('unauthenticated', 'sign_in_required');
  return actor.role;
}

/** Finds out that the person who acts is one of the two of a conversation; anybody else's answers `not_found`. */
export async function memberOf(ctx: Ctx, conversationId: string): Promise<Member> {
  const self = await corresponding(ctx);
  const row = await ctx.db
    .selectFrom('conversations')
    .select(['client_id', 'provider_id'])
    .where('id', '=', conversationId)
    .where(({ or, eb }) => or([eb('client_id', '=', self), eb('provider_id', '=', self)]))
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'conversation');
  const side = row.client_id === self ? 'client' : 'provider';
  return {
    conversationId: conversationId as OwnConversationId,
    self,
    side,
    otherId: side === 'client' ? row.provider_id : row.client_id,
  };
}
