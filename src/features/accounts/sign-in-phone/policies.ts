import type { Selectable } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { phoneOf } from '../texted-codes/queries.ts';
import type { SignInPhonesTable } from '../tables.ts';

/** Returns a person's own number. Throws `not_found` (`sign_in_phone`) if there is none. */
export async function requireOwnPhone(ctx: Ctx, personId: string): Promise<Selectable<SignInPhonesTable>> {
  const phone = await phoneOf(ctx, personId);
  if (!phone) throw new AppError('not_found', 'sign_in_phone');
  return phone;
}
