import type { AnyContractRouter } from '@orpc/contract';
import { implement } from '@orpc/server';
import type { Ctx } from '../context.ts';

/**
 * Binds contract procedures to commands and queries. Validates input after all middleware, so unauthorized callers
 * can't probe the input schema.
 */
export function bind<T extends AnyContractRouter>(contract: T) {
  return implement(contract)
    .$context<Ctx>()
    .$config({ initialInputValidationIndex: Number.POSITIVE_INFINITY });
}
