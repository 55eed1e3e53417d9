import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import { hasAppointmentWith } from '#/features/appointments/on-behalf/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { requireServed } from '../clients/policies.ts';
import type { SharedPart } from '../clients/contract.ts';
import { sharedWith } from '../clients/queries.ts';

declare const minted: unique symbol;

/** A client sharing this part with the caller. Only `requireSharer` creates one. */
export type Sharer<Part extends SharedPart> = string & { readonly [minted]: Part };

/** Verifies that the client currently shares this part; throws `not_found` (`not_shared`) otherwise. */
export async function requireSharer<Part extends SharedPart>(
  ctx: Ctx,
  clientId: string,
  part: Part,
): Promise<Sharer<Part>> {
  const served = await requireServed(ctx, clientId);
  const shared = await sharedWith(ctx, served);
  if (!shared[part]) throw new AppError('not_found', 'not_shared');
  return clientId as Sharer<Part>;
}

/** Verifies that this provider serves or served the caller; throws `not_found` (`counsellor`) otherwise. */
export async function requireCounsellor(ctx: Ctx, self: Self, providerId: string): Promise<void> {
  if (!(await hasAppointmentWith(ctx, providerId, self))) throw new AppError('not_found', 'counsellor');
}
