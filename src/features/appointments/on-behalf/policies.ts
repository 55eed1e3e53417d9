import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { contactOf, hasAppointmentWith, type KnownContact } from './queries.ts';

/** Throws `not_found` (`client`) unless the provider serves or served this client. */
export async function requireServes(ctx: Ctx, providerId: string, clientId: string): Promise<void> {
  if (!(await hasAppointmentWith(ctx, providerId, clientId))) throw new AppError('not_found', 'client');
}

/** Like `requireServes`, and returns the contact details that this provider may see. */
export async function requireServedContact(
  ctx: Ctx,
  pair: { clientId: string; providerId: string },
): Promise<KnownContact> {
  await requireServes(ctx, pair.providerId, pair.clientId);
  const known = await contactOf(ctx, pair);
  if (!known) throw new AppError('not_found', 'client');
  return known;
}
