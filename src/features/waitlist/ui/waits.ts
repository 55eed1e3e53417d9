import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

/** Waiting list entries with open offers, updated live. */
export function useWaits() {
  const api = useApi();
  const queries = useQueryClient();
  useRealtime(({ type }) => {
    if (type === 'waitlist.changed' || type === 'booking.changed' || type === 'connected')
      void queries.invalidateQueries({ queryKey: api.waitlist.key() });
  });
  // Poll: deadlines pass without a server event.
  return useQuery({
    ...api.waitlist.mine.queryOptions(),
    refetchInterval: 60_000,
    networkMode: 'always',
  });
}
