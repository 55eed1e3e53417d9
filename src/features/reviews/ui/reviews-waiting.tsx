import { useQuery } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { DataProvider, useApi } from '#/web/api.tsx';

export function useReviewsWaiting(): number | undefined {
  const api = useApi();
  const query = useQuery({ ...api.reviews.waitingCount.queryOptions(), refetchInterval: 60_000 });
  return query.data?.waiting;
}

export function ReviewsWaiting({ otherwise }: { otherwise: string }) {
  return (
    <DataProvider>
      <Count otherwise={otherwise} />
    </DataProvider>
  );
}

function Count({ otherwise }: { otherwise: string }) {
  const waiting = useReviewsWaiting();
  if (!waiting) return otherwise;
  return m.moderation_reviews_waiting({ count: waiting });
}
