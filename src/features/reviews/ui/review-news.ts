import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

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
