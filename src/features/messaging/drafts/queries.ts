import type { Ctx } from '#/platform/context.ts';
import type { Member } from '../membership/policies.ts';
import { sealed } from '../queries.ts';

export async function draftOf(ctx: Ctx, { conversationId, side }: Member): Promise<{ text: string }> {
  const row = await ctx.db
    .selectFrom('message_drafts')
    .select(['id', 'text'])
    .where('conversation_id', '=', conversationId)
    .where('from_client', '=', side === 'client')
    .executeTakeFirst();
  return { text: row ? sealed.draft.open(ctx.keyring, row.id, row.text) : '' };
}
