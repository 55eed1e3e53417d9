import { useQuery } from '@tanstack/react-query';
import { useApi, useLiveQueries } from '#/web/api.tsx';

/** Waiting list entries with open offers, updated live. */
export function useWaits() {
  const api = useApi();
  useLiveQueries(api.waitlist.key(), 'waitlist.changed', 'booking.changed');
  // Poll: deadlines pass without a server event.
  return useQuery({
    ...api.waitlist.mine.queryOptions(),
    refetchInterval: 60_000,
  });
}
