import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';

/** Returns a query's result about a provider. Throws `not_found` (`specialist`) for anyone else. */
export function requireProvider<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('not_found', 'specialist');
  return row;
}

/** People change only their own hours. Throws `not_found` (`specialist`) for others'. */
export function requireOwnHours({ actor }: Ctx, providerId: string): void {
  if (actor.kind === 'person' && actor.id !== providerId) throw new AppError('not_found', 'specialist');
}

/** Returns the provider's own block, under the lock of their hours. Throws `not_found` (`block`) for any other. */
export async function requireOwnBlock(tx: TxCtx, providerId: Self, blockId: string) {
  return tx.db
    .selectFrom('time_blocks')
    .select(['id', 'starts_at', 'ends_at', 'note'])
    .where('id', '=', blockId)
    .where('provider_id', '=', providerId)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'block'));
}
