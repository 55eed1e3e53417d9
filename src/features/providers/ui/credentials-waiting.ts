import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

/** Pending credential count, refetched every minute and on submissions; undefined until known. */
export function useCredentialsWaiting(enabled: boolean): number | undefined {
  const api = useApi();
  const queries = useQueryClient();
  useRealtime(({ type }) => {
    if (type === 'providers.credentials_changed' || type === 'connected')
      void queries.invalidateQueries({ queryKey: api.providers.credentials.key() });
  });
  return useQuery({
    ...api.providers.credentials.waitingCount.queryOptions(),
    enabled,
    refetchInterval: 60_000,
  }).data?.waiting;
}
