import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

/** What the client waits for, with the times that are open for them; kept up to date while it is shown. */
export function useWaits() {
  const api = useApi();
  const queries = useQueryClient();
  useRealtime(({ type }) => {
    if (type === 'waitlist.changed' || type === 'booking.changed' || type === 'connected')
      void queries.invalidateQueries({ queryKey: api.waitlist.key() });
  });
  // Deadlines pass by themselves.
  return useQuery({
    ...api.waitlist.mine.queryOptions(),
    refetchInterval: 60_000,
    networkMode: 'always',
  });
}
