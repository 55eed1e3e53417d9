import { createORPCClient, ORPCError, type ClientContext, type ClientLink } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils, type RouterUtils } from '@orpc/tanstack-query';
import {
  HydrationBoundary,
  QueryClientProvider,
  useQueryClient,
  type DehydratedState,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { createContext, use, useState, type ComponentProps, type ReactNode } from 'react';
import minifiedContract from 'virtual:contract';
import type { ApiContract } from '#/kernel/contracts.ts';
import { refusalOf } from '#/kernel/problem.ts';
import { failureReason, retryUnanswered, secondTry, Unreachable } from './failures.ts';
import { isIdle } from './activity.ts';
import { LoadedAtContext } from './now.ts';
import { DataOwnerContext } from './data-owner.ts';
import { askToReauthenticate } from './fresh-session.ts';
import { FreshQueryClient } from './query-client.ts';
import { RealtimeProvider, useRealtime } from './realtime.tsx';
import { showRefusal } from './refusals.ts';
import { sendWithToken } from './session-token.ts';

const link = new OpenAPILink(minifiedContract, {
  url: () => `${window.location.origin}/api`,
  fetch: async (request, init) => {
    // Background requests don't extend the session.
    if (isIdle()) request.headers.set('x-idle', '1');
    const confirms = request.url.endsWith('/api/me/reauthentication');
    return asJson(await sendWithToken(() => fetch(request, init), confirms));
  },
  customErrorResponseBodyDecoder: (body) => new ORPCError('PROBLEM', { data: body }),
  interceptors: [
    async ({ next }) => {
      try {
        return await next();
      } catch (error) {
        const reason = failureReason(error);
        const fully = reason === 'full_reauthentication_required';
        if (reason !== 'reauthentication_required' && !fully) throw error;
        // Retries the call after reauthentication.
        if (!(await askToReauthenticate(fully))) throw error;
        return next();
      }
    },
    async ({ next }) => {
      try {
        return await next();
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') throw error;
        if (!(error instanceof ORPCError)) throw new Unreachable('the server gave no answer');
        showRefusal(error.data);
        throw refusalOf(error.data) ?? new Error('internal server error');
      }
    },
  ],
});

const client: ContractRouterClient<ApiContract> = createORPCClient(link as ClientLink<ClientContext>);

/** The typed client for `/api`. API errors are thrown as AppError. */
export const api: RouterUtils<ContractRouterClient<ApiContract>> = createTanstackQueryUtils(client);

/** Problem details (RFC 9457) are JSON, but the library parses only application/json. */
function asJson(response: Response): Response {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return response;
  const { status, body } = response;
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}

interface Data {
  /** Each person gets a separate client, so cached data can't leak to the next. */
  owner: string | null;
  queries: QueryClient;
}

function createData(owner: string | null): Data {
  return {
    owner,
    // Fails immediately offline, so screens can say so; refetches on reconnect.
    queries: new FreshQueryClient({
      defaultOptions: {
        queries: {
          staleTime: 30_000,
          retry: retryUnanswered,
          retryDelay: () => secondTry.after,
          networkMode: 'always',
          refetchOnReconnect: true,
        },
        mutations: { networkMode: 'always' },
      },
    }),
  };
}

/** Browser singleton; on the server, each page's outermost provider has its own. */
let browserData: Data | null = null;

function dataOf(owner: string | null): Data {
  if (typeof window === 'undefined') return createData(owner);
  if (browserData?.owner !== owner) browserData = createData(owner);
  return browserData;
}

const DataContext = createContext<Data | null>(null);

export interface Known {
  owner: string;
  /** When it was loaded, in epoch milliseconds; null if the person's time zone is unknown to the server. */
  at: number | null;
  queries: DehydratedState;
}

/**
 * Provides the API client and query cache. Wraps individual screens and dialogs, so public pages don't load it; `known`
 * data isn't refetched.
 */
export function DataProvider({ known, children }: { known?: Known | null; children: ReactNode }) {
  const owner = use(DataOwnerContext);
  const outer = use(DataContext);
  const [first] = useState(() => outer ?? dataOf(owner));
  const data = first.owner === owner ? first : dataOf(owner);
  const loadedAt = use(LoadedAtContext);
  const own = known?.owner === owner ? known : null;
  return (
    <QueryClientProvider client={data.queries}>
      <HydrationBoundary state={own?.queries}>
        <LoadedAtContext value={own ? own.at : loadedAt}>
          <DataContext value={data}>{children}</DataContext>
        </LoadedAtContext>
      </HydrationBoundary>
    </QueryClientProvider>
  );
}

/** Also keeps the data current by events from the server. */
export function LiveDataProvider({ children, ...data }: ComponentProps<typeof DataProvider>) {
  return (
    <DataProvider {...data}>
      <RealtimeProvider>{children}</RealtimeProvider>
    </DataProvider>
  );
}

/** Refetches queries after these events, and after missed ones. */
export function useLiveQueries(queryKey: QueryKey, ...types: string[]): void {
  const queries = useQueryClient();
  useRealtime(({ type }) => {
    if (types.includes(type) || type === 'missed') void queries.invalidateQueries({ queryKey });
  });
}
