import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { ProgramUser } from '../program-sessions/contract.ts';
import { programFactors } from '../program-sessions/queries.ts';

/** Returns a person's own factor. Throws `not_found` (`second_factor`) for any other. */
export async function requireOwnFactor(
  ctx: Ctx,
  userId: string,
  factorId: string,
  { locked = false } = {},
): Promise<ProgramUser['factors'][number]> {
  const factor = (await programFactors(ctx, userId, { locked })).find(({ id }) => id === factorId);
  if (!factor) throw new AppError('not_found', 'second_factor');
  return factor;
}
