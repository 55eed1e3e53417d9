import type { AnyContractRouter } from '@orpc/contract';
import { implement } from '@orpc/server';
import type { Ctx } from '../context.ts';

/**
 * Starts the binding of a contract's procedures to commands and queries. Input is validated after every
 * middleware, so that a stranger gets a refusal and not a description of the input.
 */
export function bind<T extends AnyContractRouter>(contract: T) {
  return implement(contract)
    .$context<Ctx>()
    .$config({ initialInputValidationIndex: Number.POSITIVE_INFINITY });
}
