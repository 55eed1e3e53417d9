import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import type { AvailabilityView } from '../contract.ts';

/** The calls about one's own hours, and how their answers are kept for every part of the editor. */
export function useAvailability() {
  const api = useApi();
  const queries = useQueryClient();
  const key = api.availability.mine.queryKey();
  return {
    api,
    /** Shows an answer at once. */
    show: (view: AvailabilityView) => queries.setQueryData(key, view),
    /** Changes what is shown. */
    keep: (change: (view: AvailabilityView) => AvailabilityView) =>
      queries.setQueryData<AvailabilityView>(key, (last) => last && change(last)),
    /** Asks anew, and answers what is stored now. */
    fetch: () => queries.query({ ...api.availability.mine.queryOptions(), staleTime: 0 }),
  };
}

/** One's own hours as they are stored, kept fresh while the screen is open. */
export function useOwnHours() {
  const { api } = useAvailability();
  const query = useQuery(api.availability.mine.queryOptions());
  useRealtime(({ type }) => {
    if (type === 'availability.changed' || type === 'connected') void query.refetch();
  });
  return query;
}
