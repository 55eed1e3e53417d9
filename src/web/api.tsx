import { createORPCClient, ORPCError, type ClientContext, type ClientLink } from '@orpc/client';
import type { AnyContractRouter, ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils, type RouterUtils } from '@orpc/tanstack-query';
import { createContext, use, type ReactNode } from 'react';
import { refusalOf } from '#/kernel/problem.ts';

/** Calls and query options of the procedures in a contract. */
export type Api<C extends AnyContractRouter> = RouterUtils<ContractRouterClient<C>>;

/** Thrown when the server can't be reached or answers with a defect; nothing that was typed is lost by it. */
export class Unreachable extends Error {}

/** Makes the typed client of the API at `/api` from the minified contract. Refusals are thrown as AppError. */
export function createApi<C extends AnyContractRouter>(contract: AnyContractRouter, origin: string): Api<C> {
  const link = new OpenAPILink(contract, {
    url: `${origin}/api`,
    customErrorResponseBodyDecoder: (body) => new ORPCError('PROBLEM', { data: body }),
    interceptors: [
      async ({ next }) => {
        try {
          return await next();
        } catch (error) {
          if (error instanceof DOMException && error.name === 'AbortError') throw error;
          throw (error instanceof ORPCError ? refusalOf(error.data) : null) ?? new Unreachable('the server gave no answer');
        }
      },
    ],
  });
  const client: ContractRouterClient<C> = createORPCClient(link as ClientLink<ClientContext>);
  return createTanstackQueryUtils(client) as Api<C>;
}

const ApiContext = createContext<unknown>(null);

/** Gives the API to everything below. */
export function ApiProvider({ api, children }: { api: unknown; children: ReactNode }) {
  return <ApiContext value={api}>{children}</ApiContext>;
}

/** The API as far as the caller's contract goes: `useApi<{ booking: typeof bookingContract }>()`. */
export function useApi<C extends AnyContractRouter>(): Api<C> {
  return use(ApiContext) as Api<C>;
}
