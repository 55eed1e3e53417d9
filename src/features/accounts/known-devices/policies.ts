import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';

/** Throws `not_found` (`device`) for any other. */
export async function requireTrustedDevice(tx: TxCtx, personId: string, deviceId: string): Promise<void> {
  await tx.db
    .selectFrom('known_devices')
    .select('id')
    .where('id', '=', deviceId)
    .where('user_id', '=', personId)
    .where('trusted_until', '>', new Date(tx.now().epochMilliseconds))
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'device'));
}
