import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import type { AvailabilityView } from '../contract.ts';

export function useAvailability() {
  const queries = useQueryClient();
  const key = api.availability.mine.queryKey();
  return {
    show: (view: AvailabilityView) => queries.setQueryData(key, view),
    keep: (change: (view: AvailabilityView) => AvailabilityView) =>
      queries.setQueryData<AvailabilityView>(key, (last) => last && change(last)),
    fetch: () => queries.query({ ...api.availability.mine.queryOptions(), staleTime: 0 }),
  };
}

export function useOwnHours() {
  const query = useQuery(api.availability.mine.queryOptions());
  useRealtime(({ type }) => {
    if (type === 'availability.changed' || type === 'missed') void query.refetch();
  });
  return query;
}
