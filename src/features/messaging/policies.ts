import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { Conversation, Counterpart } from './contract.ts';
import type { Side } from './membership/policies.ts';
import { conversationsById, conversationWith, offered, pairWith } from './queries.ts';
import { closedReason } from './rules.ts';
import { recordRefused } from '#/features/audit/commands.ts';

/** Returns one of the person's conversations. Throws `not_found` (`conversation`) for any other. */
export async function requireConversation(ctx: Ctx, self: Self, id: string): Promise<Conversation> {
  const conversation = (await conversationsById(ctx, self, [id])).get(id);
  if (!conversation) throw new AppError('not_found', 'conversation');
  return conversation;
}

/** Locks one of the person's conversations. Throws `not_found` (`conversation`) for any other. */
export async function requireLockedConversation(tx: TxCtx, self: Self, conversationId: string) {
  const row = await tx.db
    .selectFrom('conversations as c')
    .innerJoin('profiles as client', 'client.id', 'c.client_id')
    .innerJoin('profiles as provider', 'provider.id', 'c.provider_id')
    .innerJoin('providers', 'providers.id', 'c.provider_id')
    .select(['c.client_id', 'c.provider_id', 'c.last_seq'])
    .select(['c.client_read_seq', 'c.provider_read_seq', 'c.client_unread', 'c.provider_unread'])
    .select(['client.erased_at as client_erased', 'provider.erased_at as provider_erased'])
    .select(['provider.role as provider_role', 'providers.listed'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('appointments as a')
          .select('a.id')
          .whereRef('a.provider_id', '=', 'c.provider_id')
          .whereRef('a.client_id', '=', 'c.client_id'),
      ).as('served'),
    )
    .select(offered.as('offered'))
    .where('c.id', '=', conversationId)
    .where(({ or, eb }) => or([eb('c.client_id', '=', self), eb('c.provider_id', '=', self)]))
    .forNoKeyUpdate(['c'])
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'conversation'));
  const side: Side = row.client_id === self ? 'client' : 'provider';
  const closed = closedReason({
    side,
    providerRole: row.provider_role,
    otherErased: (side === 'client' ? row.provider_erased : row.client_erased) !== null,
    listed: row.listed,
    served: Boolean(row.served),
    offered: row.offered,
  });
  return { ...row, side, closed };
}

/** Returns the pair for a first message. Throws `not_found` (`person`) unless the actor may write to this person. */
export async function requirePair(ctx: Ctx, self: Self, otherId: string) {
  const pair = await pairWith(ctx, self, otherId);
  if (!pair) throw new AppError('not_found', 'person');
  return pair;
}

/** Returns a person the actor may write to and any existing conversation. Throws `not_found` (`person`) otherwise. */
export async function requireCorrespondent(
  ctx: Ctx,
  self: Self,
  personId: string,
): Promise<{ person: Counterpart; conversation: Conversation | null }> {
  const conversation = await conversationWith(ctx, self, personId);
  if (conversation) return { person: conversation.with, conversation };
  return { person: (await requirePair(ctx, self, personId)).person, conversation: null };
}

/** Returns the acting person with their sign-in session. Throws `unauthenticated` for other actors. */
export function requireAdministrator({ actor }: Ctx): { id: string; sessionId: string } {
  if (actor.kind !== 'person') throw new AppError('unauthenticated', 'sign_in_required');
  return actor;
}

/** Returns the conversation of two people. Throws `not_found` (`conversation`) if there is none, and logs the attempt. */
export async function requireConversationBetween(ctx: Ctx, firstEmail: string, secondEmail: string) {
  const conversation = await ctx.db
    .selectFrom('conversations as c')
    .innerJoin('users as client', 'client.id', 'c.client_id')
    .innerJoin('users as provider', 'provider.id', 'c.provider_id')
    .select(['c.id', 'c.client_id', 'c.provider_id'])
    .where(({ or, and, eb }) =>
      or([
        and([eb('client.email', '=', firstEmail), eb('provider.email', '=', secondEmail)]),
        and([eb('client.email', '=', secondEmail), eb('provider.email', '=', firstEmail)]),
      ]),
    )
    .executeTakeFirst();
  if (!conversation) {
    await recordRefused(ctx, { action: 'messages.emergency_opened' });
    throw new AppError('not_found', 'conversation');
  }
  return conversation;
}

/** Locks the administrator's own access. Throws `not_found` (`emergency_access`) if it's over or another's. */
export async function requireOpenAccess(
  tx: TxCtx,
  { accessId, openedBy }: { accessId: string; openedBy: string },
): Promise<{ session_id: string }> {
  const access = await tx.db
    .selectFrom('emergency_accesses')
    .select(['session_id', 'ends_at'])
    .where('id', '=', accessId)
    .where('opened_by', '=', openedBy)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!access || access.ends_at.getTime() <= tx.now().epochMilliseconds)
    throw new AppError('not_found', 'emergency_access');
  return access;
}
