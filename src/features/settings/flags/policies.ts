import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { FlagId } from './contract.ts';
import { flagsFor } from './queries.ts';

/** Throws `not_found` with `feature_off` unless the actor has the flag. */
export async function requireFlag(ctx: Ctx, flag: FlagId): Promise<void> {
  requireOn((await flagsFor(ctx)).includes(flag), flag);
}

/** Throws `not_found` with `feature_off`. */
export function requireOn(on: boolean, flag: FlagId): void {
  if (!on) throw new AppError('not_found', 'feature_off', { data: { flag } });
}
