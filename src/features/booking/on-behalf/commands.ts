import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { selfOf } from '#/features/access/rules.ts';
import { bookOnce, type Booked } from '../commands.ts';
import type { BookForInput } from '../contract.ts';
import { contactOf, serves } from './queries.ts';

/**
 * Books one session or a whole series for somebody whom the provider who acts serves, once per idempotency key. It is
 * confirmed at once; `not_found` for anyone else.
 */
export async function bookFor(ctx: Ctx, input: BookForInput): Promise<Booked> {
  const provider = selfOf(ctx);
  const { clientId, outsideHours, ...wanted } = input;
  return transact(ctx, async (tx) => {
    const pair = { clientId, providerId: provider };
    const known = (await serves(tx, provider, clientId)) ? await contactOf(tx, pair) : null;
    if (!known) throw new AppError('not_found', 'client');
    const booker = { by: 'provider', self: provider, clientId, outsideHours } as const;
    return bookOnce(tx, booker, { ...wanted, providerId: provider, ...known });
  });
}
