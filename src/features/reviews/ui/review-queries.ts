import { useQuery } from '@tanstack/react-query';
import { useLiveQueries, api } from '#/web/api.tsx';

/** Returns the next page's offset until a page comes back short. */
export function nextOffset(limit: number) {
  return <One>(last: readonly One[], pages: readonly (readonly One[])[]) =>
    last.length < limit ? undefined : pages.length * limit;
}

const page = 10;

export function receivedQuery(reviews: typeof api.reviews) {
  return reviews.received.infiniteOptions({
    input: (offset: number) => ({ offset, limit: page }),
    initialPageParam: 0,
    getNextPageParam: nextOffset(page),
  });
}

/** Refetches all review queries when any review changes. */
export function useReviewNews(): void {
  useLiveQueries(api.reviews.key(), 'reviews.changed');
}

export function useReviewsWaiting(): number | undefined {
  const query = useQuery({ ...api.reviews.waitingCount.queryOptions(), refetchInterval: 60_000 });
  return query.data?.waiting;
}
