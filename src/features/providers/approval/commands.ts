import { AppError } from '#/kernel/errors.ts';
import { topicsOf } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { TxCtx } from '#/platform/context.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { followAccount } from '../commands.ts';
import { requireApprovable } from '../policies.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'providers.approval_changed': { providerId: string; change: 'revoked' | 'restored' };
  }
}

/**
 * Revokes a provider's approval: removes them from the directory and blocks new bookings. Callers handle existing
 * sessions in the same transaction. Throws not_found `specialist` or conflict `already_revoked`.
 */
export async function revoke(tx: TxCtx, providerId: string, reason: string): Promise<void> {
  const { approval_revoked_at } = await requireApprovable(tx, providerId);
  if (approval_revoked_at !== null) throw new AppError('conflict', 'already_revoked');
  const now = new Date(tx.now().epochMilliseconds);
  await change(tx, providerId, { approval_revoked_at: now, approval_revoked_reason: reason }, 'revoked');
}

/** Restores a provider's approval and previous listing. Throws not_found `specialist` or conflict `not_revoked`. */
export async function restore(tx: TxCtx, providerId: string): Promise<void> {
  const { approval_revoked_at } = await requireApprovable(tx, providerId);
  if (approval_revoked_at === null) throw new AppError('conflict', 'not_revoked');
  await change(tx, providerId, { approval_revoked_at: null, approval_revoked_reason: null }, 'restored');
}

async function change(
  tx: TxCtx,
  providerId: string,
  approval: { approval_revoked_at: Date | null; approval_revoked_reason: string | null },
  what: 'revoked' | 'restored',
): Promise<void> {
  await tx.db.updateTable('providers').set(approval).where('id', '=', providerId).execute();
  await recordDone(tx, {
    action: `provider.approval_${what}`,
    category: 'provider_approval',
    subject: { kind: 'provider', id: providerId },
    details: { status: what === 'revoked' ? 'approved → revoked' : 'revoked → approved' },
  });
  await followAccount(tx, providerId);
  await tx.emit(tx, 'providers.approval_changed', { providerId, change: what });
  for (const type of ['providers.listing_changed', 'providers.applications_changed'])
    await publish(tx, [`person:${providerId}`, ...topicsOf('manage_providers')], { type, id: providerId });
}
