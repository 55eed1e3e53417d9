import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

/** How many credentials wait for a decision, asked anew each minute and when one is sent in; undefined until it is known. */
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
