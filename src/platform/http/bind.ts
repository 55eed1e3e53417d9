import {
  type AnyContractRouter,
  type ContractProcedure,
  type InferSchemaInput,
  type InferSchemaOutput,
  isContractProcedure,
} from '@orpc/contract';
import { implement, isProcedure, type Router } from '@orpc/server';
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

/** One function per procedure; parts may come from `handle`. */
type Answers<T> =
  // oxlint-disable-next-line typescript/no-explicit-any -- errors and metadata don't matter here
  T extends ContractProcedure<infer Input, infer Output, any, any>
    ? (
        ctx: Ctx,
        input: InferSchemaOutput<Input>,
      ) => Promise<InferSchemaInput<Output>> | InferSchemaInput<Output>
    : { [Name in keyof T]: Answers<T[Name]> | Answered<T[Name]> };

type Answered<T> = T extends AnyContractRouter ? Router<T, Ctx> : never;

/** Binds a contract's procedures to their functions. */
export function handle<T extends AnyContractRouter>(contract: T, answers: Answers<T>): Router<T, Ctx> {
  return built(contract, answers) as Router<T, Ctx>;
}

function built(contract: AnyContractRouter, answers: unknown): unknown {
  if (isProcedure(answers)) return answers;
  if (isContractProcedure(contract)) {
    const given = answers as (ctx: Ctx, input: unknown) => unknown;
    return bind(contract).handler(({ context, input }) => given(context, input));
  }
  const parts = answers as Record<string, unknown>;
  return Object.fromEntries(Object.entries(contract).map(([name, part]) => [name, built(part, parts[name])]));
}
