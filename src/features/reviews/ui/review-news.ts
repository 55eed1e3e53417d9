import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import type { reviewsContract } from '../contract.ts';

/** Fetches anew whatever is shown of reviews once one has changed anywhere. */
export function useReviewNews(): void {
  const queries = useQueryClient();
  const api = useApi<{ reviews: typeof reviewsContract }>();
  useRealtime(({ type }) => {
    if (type === 'reviews.changed' || type === 'connected') {
      void queries.invalidateQueries({ queryKey: api.reviews.key() });
    }
  });
}
