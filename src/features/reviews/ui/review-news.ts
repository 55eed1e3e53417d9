import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

/** Fetches anew whatever is shown of reviews once one has changed anywhere. */
export function useReviewNews(): void {
  const queries = useQueryClient();
  const api = useApi();
  useRealtime(({ type }) => {
    if (type === 'reviews.changed' || type === 'connected') {
      void queries.invalidateQueries({ queryKey: api.reviews.key() });
    }
  });
}
