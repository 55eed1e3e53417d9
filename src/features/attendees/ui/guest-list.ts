import { useQuery } from '@tanstack/react-query';
import { useLiveQueries, api } from '#/web/api.tsx';

/** Guests of one's own session, updated live. */
export function useGuests(appointmentId: string, enabled = true) {
  useGuestNews();
  return useQuery({
    ...api.attendees.list.queryOptions({ input: { appointmentId } }),
    enabled,
  });
}

/** Sessions one is invited to, updated live. */
export function useGuestSessions() {
  useGuestNews();
  return useQuery({
    ...api.attendees.mine.queryOptions(),
    // Poll: sessions end without a server event.
    refetchInterval: 60_000,
  });
}

function useGuestNews() {
  useLiveQueries(api.attendees.key(), 'booking.changed');
}
