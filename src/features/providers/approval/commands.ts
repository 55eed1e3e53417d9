import { AppError } from '#/kernel/errors.ts';
import { authorise, topicsOf } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { TxCtx } from '#/platform/context.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { followAccount } from '../commands.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    'providers.approval_changed': { providerId: string; change: 'revoked' | 'restored' };
  }
}

/**
 * Revokes a provider's approval: removes them from the directory and blocks new bookings. Callers handle existing
 * sessions in the same transaction. Throws not_found `specialist` or conflict `already_revoked`.
 */
export async function revoke(tx: TxCtx, providerId: string, reason: string): Promise<void> {
  if (await isRevoked(tx, providerId)) throw new AppError('conflict', 'already_revoked');
  const now = new Date(tx.now().epochMilliseconds);
  await change(tx, providerId, { approval_revoked_at: now, approval_revoked_reason: reason }, 'revoked');
}

/** Restores a provider's approval and previous listing. Throws not_found `specialist` or conflict `not_revoked`. */
export async function restore(tx: TxCtx, providerId: string): Promise<void> {
  if (!(await isRevoked(tx, providerId))) throw new AppError('conflict', 'not_revoked');
  await change(tx, providerId, { approval_revoked_at: null, approval_revoked_reason: null }, 'restored');
}

/** Reads and locks the approval state. */
async function isRevoked(tx: TxCtx, providerId: string): Promise<boolean> {
  authorise(tx.actor, ['manage_providers']);
  const row = await tx.db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .select('approval_revoked_at')
    .where('providers.id', '=', providerId)
    .where('erased_at', 'is', null)
    .forNoKeyUpdate('providers')
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'specialist');
  return row.approval_revoked_at !== null;
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
