import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import { attachmentsOf } from '../attachments/queries.ts';
import type { Member } from '../membership/policies.ts';
import { sealed } from '../queries.ts';
import type { OpenedConversation } from './contract.ts';
import { requireAdministrator } from '../policies.ts';
import { maxShown } from '../rules.ts';

export const sealedReason = sealedColumn('emergency_accesses', 'reason');

const maxOpenings = 10;

/** Returns the administrator's open access in this sign-in session, or null if none is open. */
export async function currentAccess(ctx: Ctx): Promise<OpenedConversation | null> {
  const { id, sessionId } = requireAdministrator(ctx);
  const access = await ctx.db
    .selectFrom('emergency_accesses as e')
    .innerJoin('conversations as c', 'c.id', 'e.conversation_id')
    .innerJoin('profiles as client', 'client.id', 'c.client_id')
    .innerJoin('profiles as provider', 'provider.id', 'c.provider_id')
    .select(['e.id', 'e.conversation_id', 'e.opened_at', 'e.ends_at', 'c.subject'])
    .select(['client.full_name as client_name', 'client.erased_at as client_erased'])
    .select(['provider.full_name as provider_name', 'provider.erased_at as provider_erased'])
    .where('opened_by', '=', id)
    .where('session_id', '=', sessionId)
    .where('ends_at', '>', new Date(ctx.now().epochMilliseconds))
    .orderBy('opened_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!access) return null;
  const rows = await ctx.db
    .selectFrom('messages')
    .select(['id', 'seq', 'from_client', 'text', 'sent_at'])
    .where('conversation_id', '=', access.conversation_id)
    .orderBy('seq', 'desc')
    .limit(maxShown + 1)
    .execute();
  const shown = rows.slice(0, maxShown).toReversed();
  const files = await attachmentsOf(
    ctx,
    shown.map((row) => row.id),
  );
  return {
    id: access.id,
    openedAt: isoOf(access.opened_at),
    endsAt: isoOf(access.ends_at),
    client: { name: access.client_name, erased: access.client_erased !== null },
    provider: { name: access.provider_name, erased: access.provider_erased !== null },
    subject: sealed.subject.openIfAny(ctx.keyring, access.conversation_id, access.subject) ?? '',
    messages: shown.map((row) => ({
      seq: row.seq,
      from: row.from_client ? 'client' : 'provider',
      text: sealed.text.openIfAny(ctx.keyring, row.id, row.text) ?? '',
      files: (files.get(row.id) ?? []).map(({ name }) => name),
      sentAt: isoOf(row.sent_at),
    })),
    more: rows.length > maxShown,
  };
}

export async function openingsOf(ctx: Ctx, { conversationId }: Member): Promise<{ openedAt: string }[]> {
  const rows = await ctx.db
    .selectFrom('emergency_accesses')
    .select('opened_at')
    .where('conversation_id', '=', conversationId)
    .orderBy('opened_at', 'desc')
    .limit(maxOpenings)
    .execute();
  return rows.map(({ opened_at }) => ({ openedAt: isoOf(opened_at) }));
}

export async function peopleOpened(ctx: Ctx, accessId: string): Promise<string[]> {
  const row = await ctx.db
    .selectFrom('emergency_accesses as e')
    .innerJoin('conversations as c', 'c.id', 'e.conversation_id')
    .select(['client_id', 'provider_id'])
    .where('e.id', '=', accessId)
    .executeTakeFirst();
  return row ? [row.client_id, row.provider_id] : [];
}
