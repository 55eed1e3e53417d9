import type { Role } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireFlag } from '#/features/settings/flags/policies.ts';
import type { Ctx } from '#/platform/context.ts';

declare const minted: unique symbol;

/** ID of a conversation the actor belongs to. Branded: only `requireMember` creates it. */
type OwnConversationId = string & { readonly [minted]: 'conversation' };

export type Side = 'client' | 'provider';

export interface Member {
  conversationId: OwnConversationId;
  self: Self;
  side: Side;
  otherId: string;
}

/** Returns the actor's scope for messaging queries. Throws `not_found` if messaging is off for them. */
export async function requireMessaging(ctx: Ctx): Promise<Self> {
  const self = selfOf(ctx);
  await requireFlag(ctx, 'direct_messaging');
  return self;
}

export function roleOf({ actor }: Ctx): Role {
  if (actor.kind !== 'person') throw new AppError('unauthenticated', 'sign_in_required');
  return actor.role;
}

/** Verifies that the actor belongs to a conversation; throws `not_found` (`conversation`) otherwise. */
export async function requireMember(ctx: Ctx, conversationId: string): Promise<Member> {
  const self = await requireMessaging(ctx);
  const row = await ctx.db
    .selectFrom('conversations')
    .select(['client_id', 'provider_id'])
    .where('id', '=', conversationId)
    .where(({ or, eb }) => or([eb('client_id', '=', self), eb('provider_id', '=', self)]))
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'conversation'));
  const side = row.client_id === self ? 'client' : 'provider';
  return {
    conversationId: conversationId as OwnConversationId,
    self,
    side,
    otherId: side === 'client' ? row.provider_id : row.client_id,
  };
}
