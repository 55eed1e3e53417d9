import { useQuery } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';

export function useReviewsWaiting(): number | undefined {
  const api = useApi();
  const query = useQuery({ ...api.reviews.waitingCount.queryOptions(), refetchInterval: 60_000 });
  return query.data?.waiting;
}
