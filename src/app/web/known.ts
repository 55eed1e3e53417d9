import { createTanstackQueryUtils, type RouterUtils } from '@orpc/tanstack-query';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import type { Viewer } from '#/features/accounts/contract.ts';
import type { Known } from '#/web/api.tsx';
import type { PageRequest } from './contexts.ts';

/** Asks for what a screen shows first; each by the same options as the screen. */
export type Ask = (
  queries: QueryClient,
  api: RouterUtils<PageRequest['api']>,
  viewer: Viewer,
) => readonly Promise<unknown>[];

/**
 * What a screen asks for first, asked in process by its route's loader, so that the page arrives with its text; null
 * for a guest. What is refused or fails here is left for the browser to ask, whose screen says so. For pages that
 * nobody caches: it is the person's own.
 */
export async function knownTo(
  { api }: PageRequest,
  ask: Ask,
): Promise<{ viewer: Viewer; known: Known } | null> {
  const viewer = await api.accounts.me();
  if (!viewer) return null;
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await Promise.allSettled(ask(queries, createTanstackQueryUtils(api), viewer));
  return { viewer, known: { owner: viewer.id, queries: dehydrate(queries) } };
}
