import { authorize } from '#/features/access/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { requireMember } from '../membership/policies.ts';
import { sealed } from '../queries.ts';

/** Saves a conversation draft, or deletes it if the text is empty. Drafts are never visible to the counterpart. */
export async function saveDraft(
  ctx: Ctx,
  { conversationId, text }: { conversationId: string; text: string },
): Promise<{ text: string }> {
  authorize(ctx.actor, ['send_messages']);
  const { side } = await requireMember(ctx, conversationId);
  const from_client = side === 'client';
  return transact(ctx, async (tx) => {
    // Replace the row instead of updating it: ciphertext is bound to the row ID.
    await tx.db
      .deleteFrom('message_drafts')
      .where('conversation_id', '=', conversationId)
      .where('from_client', '=', from_client)
      .execute();
    if (text !== '') {
      const id = tx.newId();
      await tx.db
        .insertInto('message_drafts')
        .values({
          id,
          conversation_id: conversationId,
          from_client,
          text: sealed.draft.seal(tx.keyring, id, text),
          changed_at: new Date(tx.now().epochMilliseconds),
        })
        .onConflict((on) =>
          on.columns(['conversation_id', 'from_client']).doUpdateSet(({ ref }) => ({
            id: ref('excluded.id'),
            text: ref('excluded.text'),
            changed_at: ref('excluded.changed_at'),
          })),
        )
        .execute();
    }
    return { text };
  });
}
