import { useQuery } from '@tanstack/react-query';
import { useLiveQueries, api } from '#/web/api.tsx';

/** Waiting list entries with open offers, updated live. */
export function useWaits() {
  useLiveQueries(api.waitlist.key(), 'waitlist.changed', 'booking.changed');
  // Poll: deadlines pass without a server event.
  return useQuery({
    ...api.waitlist.mine.queryOptions(),
    refetchInterval: 60_000,
  });
}
