import { noteRefusal } from '#/features/audit/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import { isUuid } from '#/kernel/ids.ts';
import type { Ctx } from '#/platform/context.ts';

/**
 * Logs refusals worth it: every `forbidden`, and people and tokens guessing ids, whose `not_found` may hide someone
 * else's data. Guests' mistyped URLs don't count.
 */
export async function logRefusal(ctx: Ctx, procedure: string, error: unknown, input: unknown): Promise<void> {
  if (!(error instanceof AppError)) return;
  const { code, reason } = error;
  const guesses = code === 'not_found' && reason !== 'feature_off' && 'id' in ctx.actor;
  if (code === 'forbidden' || (guesses && namesId(input))) await noteRefusal(ctx, procedure, reason);
}

function namesId(input: unknown): boolean {
  if (!isPlainObject(input)) return false;
  return Object.values(input).some((value) => typeof value === 'string' && isUuid(value));
}

export function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
