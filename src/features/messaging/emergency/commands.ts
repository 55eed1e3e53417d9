import { invalidField } from '#/kernel/errors.ts';
import { authorize } from '#/features/access/rules.ts';
import { requirePassword, requireSamePassword } from '#/features/accounts/password/commands.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import type { OpenedConversation, OpenInput } from './contract.ts';
import { emergencyPhrase, openMinutes } from '../rules.ts';
import { requireAdministrator, requireConversationBetween, requireOpenAccess } from '../policies.ts';
import { currentAccess, sealedReason } from './queries.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'messages.emergency_opened': { accessId: string };
  }
}

/**
 * Opens a conversation to the acting administrator, for this sign-in session and 30 minutes, and notifies both members.
 * Throws `invalid` for `confirmation`, `not_found` for `conversation`, and any `requirePassword` or `requireSamePassword` error.
 */
export async function openInEmergency(ctx: Ctx, input: OpenInput): Promise<OpenedConversation> {
  authorize(ctx.actor, ['manage_users']);
  const { id: openedBy, sessionId } = requireAdministrator(ctx);
  if (input.confirmation.toLowerCase() !== emergencyPhrase)
    throw invalidField('confirmation', 'not_confirmed');
  const known = await requirePassword(ctx, input.password);
  const conversation = await requireConversationBetween(ctx, input.firstEmail, input.secondEmail);
  return transact(ctx, async (tx) => {
    await requireSamePassword(tx, known);
    const id = tx.newId();
    const now = tx.now();
    await tx.db
      .insertInto('emergency_accesses')
      .values({
        id,
        conversation_id: conversation.id,
        opened_by: openedBy,
        session_id: sessionId,
        reason: sealedReason.seal(tx.keyring, id, input.reason),
        opened_at: new Date(now.epochMilliseconds),
        ends_at: new Date(now.add({ minutes: openMinutes }).epochMilliseconds),
      })
      .execute();
    await recordDone(tx, {
      action: 'messages.emergency_opened',
      subject: { kind: 'conversation', id: conversation.id },
      details: { access: id, client: conversation.client_id, provider: conversation.provider_id },
    });
    await tx.emit(tx, 'messages.emergency_opened', { accessId: id });
    await publish(tx, [`person:${conversation.client_id}`, `person:${conversation.provider_id}`], {
      type: 'messages.emergency',
      id: conversation.id,
    });
    return (await currentAccess(tx))!;
  });
}

/** Ends the administrator's accesses in its session. Throws `not_found` if it's over or another administrator's. */
export async function closeEmergency(ctx: Ctx, accessId: string): Promise<void> {
  authorize(ctx.actor, ['manage_users']);
  const { id } = requireAdministrator(ctx);
  await transact(ctx, async (tx) => {
    const open = await requireOpenAccess(tx, { accessId, openedBy: id });
    const now = new Date(tx.now().epochMilliseconds);
    const closed = await tx.db
      .updateTable('emergency_accesses')
      .set({ ends_at: now })
      .where('opened_by', '=', id)
      .where('session_id', '=', open.session_id)
      .where('ends_at', '>', now)
      .returning(['id', 'conversation_id'])
      .execute();
    for (const access of closed)
      await recordDone(tx, {
        action: 'messages.emergency_closed',
        subject: { kind: 'conversation', id: access.conversation_id },
        details: { access: access.id },
      });
  });
}
