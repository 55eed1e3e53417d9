import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

/** Who is asked to a session of one's own; kept up to date while it is shown. */
export function useGuests(appointmentId: string, enabled = true) {
  const api = useApi();
  useGuestNews();
  return useQuery({
    ...api.guests.list.queryOptions({ input: { appointmentId } }),
    enabled,
    networkMode: 'always',
  });
}

/** The sessions that one is invited to; kept up to date while they are shown. */
export function useGuestSessions() {
  const api = useApi();
  useGuestNews();
  return useQuery({
    ...api.guests.mine.queryOptions(),
    // Sessions end by themselves.
    refetchInterval: 60_000,
    networkMode: 'always',
  });
}

function useGuestNews() {
  const api = useApi();
  const queries = useQueryClient();
  useRealtime(({ type }) => {
    if (type === 'booking.changed' || type === 'connected')
      void queries.invalidateQueries({ queryKey: api.guests.key() });
  });
}
