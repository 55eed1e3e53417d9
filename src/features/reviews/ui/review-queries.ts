import { type Api, useApi } from '#/web/api.tsx';
import type { reviewsContract } from '../contract.ts';
import { useQueryClient, useQuery } from '@tanstack/react-query';
import { useRealtime } from '#/web/realtime.tsx';

/** Returns the next page's offset until a page comes back short. */
export function nextOffset(limit: number) {
  return <One>(last: readonly One[], pages: readonly (readonly One[])[]) =>
    last.length < limit ? undefined : pages.length * limit;
}

const page = 10;

export function receivedQuery(reviews: Api<{ reviews: typeof reviewsContract }>['reviews']) {
  return reviews.received.infiniteOptions({
    input: (offset: number) => ({ offset, limit: page }),
    initialPageParam: 0,
    getNextPageParam: nextOffset(page),
  });
}

/** Refetches all review queries when any review changes. */
export function useReviewNews(): void {
  const queries = useQueryClient();
  const api = useApi();
  useRealtime(({ type }) => {
    if (type === 'reviews.changed' || type === 'connected') {
      void queries.invalidateQueries({ queryKey: api.reviews.key() });
    }
  });
}

export function useReviewsWaiting(): number | undefined {
  const api = useApi();
  const query = useQuery({ ...api.reviews.waitingCount.queryOptions(), refetchInterval: 60_000 });
  return query.data?.waiting;
}
