import { createTanstackQueryUtils, type RouterUtils } from '@orpc/tanstack-query';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import type { Viewer } from '#/features/accounts/contract.ts';
import type { Known } from '#/web/api.tsx';
import type { PageRequest } from './contexts.ts';

export type ServerApi = RouterUtils<PageRequest['api']>;

/** Prefetches a screen's first queries, with the same options the screen uses. */
export type Ask = (
  queries: QueryClient,
  api: ServerApi,
  viewer: Viewer,
  /** Now, in epoch milliseconds. */
  at: number,
) => readonly Promise<unknown>[];

/**
 * Runs a screen's first queries in process from its loader, so the page arrives with content; null for guests. Failed
 * queries are left to the browser, which displays the error. Only for uncached pages: the data is personal.
 */
export async function prefetchFor(
  { api }: PageRequest,
  ask: Ask,
): Promise<{ viewer: Viewer; known: Known } | null> {
  const viewer = await api.accounts.me();
  if (!viewer) return null;
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const at = Date.now();
  await Promise.allSettled(ask(queries, createTanstackQueryUtils(api), viewer, at));
  return {
    viewer,
    known: { owner: viewer.id, at: viewer.timeZone === null ? null : at, queries: dehydrate(queries) },
  };
}
