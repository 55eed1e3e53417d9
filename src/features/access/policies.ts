import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';

/** Throws `not_found` unless a job or the system asks: they read any row. */
export function requireBackground({ actor }: Pick<Ctx, 'actor'>, what: 'appointment' | 'offer'): void {
  if (actor.kind !== 'job' && actor.kind !== 'system') throw new AppError('not_found', what);
}
