import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { CheckedApplication } from './contract.ts';
import { applicationToCheck } from './queries.ts';

/** Locks the person's own pending application. Throws `not_found` (`application`) for any other. */
export async function requireOwnPending(
  tx: TxCtx,
  self: Self,
  applicationId: string,
): Promise<{ id: string }> {
  return tx.db
    .selectFrom('provider_applications')
    .select('id')
    .where('id', '=', applicationId)
    .where('person_id', '=', self)
    .where('status', '=', 'pending')
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'application'));
}

/** With its documents. Throws not_found `application`. */
export async function requireApplication(ctx: Ctx, applicationId: string): Promise<CheckedApplication> {
  const application = await applicationToCheck(ctx, applicationId);
  if (!application) throw new AppError('not_found', 'application');
  return application;
}

/** Locks a pending application. Throws `not_found` (`application`), or conflict `decided`. */
export async function requirePendingApplication({ db }: TxCtx, applicationId: string) {
  const row = await db
    .selectFrom('provider_applications')
    .selectAll()
    .where('id', '=', applicationId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'application'));
  if (row.status !== 'pending') throw new AppError('conflict', 'decided');
  return row;
}
