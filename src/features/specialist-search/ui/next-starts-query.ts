import { useQuery } from '@tanstack/react-query';
import { api } from '#/web/api.tsx';
import type { NextStarts } from '../contract.ts';
import { timeFilterOf, type Search } from './find-search.ts';

/** Loads several specialists' next open times, by specialist. */
export function useNextStarts(
  providerIds: readonly string[],
  search: Search,
): { starts: ReadonlyMap<string, NextStarts>; loading: boolean } {
  const { data = [], isLoading } = useQuery({
    ...api.specialistSearch.nextStarts.queryOptions({
      input: { providerIds: providerIds.join(','), ...timeFilterOf(search) },
    }),
    enabled: providerIds.length > 0,
  });
  return { starts: new Map(data.map((next) => [next.providerId, next])), loading: isLoading };
}
