import { AppError } from '#/kernel/errors.ts';
import { recordRefused } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';

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
  { accessId, openedBy, now }: { accessId: string; openedBy: string; now: Date },
): Promise<{ id: string; conversation_id: string }> {
  return tx.db
    .selectFrom('emergency_accesses')
    .select(['id', 'conversation_id'])
    .where('id', '=', accessId)
    .where('opened_by', '=', openedBy)
    .where('ends_at', '>', now)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'emergency_access'));
}
