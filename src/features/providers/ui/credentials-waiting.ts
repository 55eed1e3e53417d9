import { useQuery } from '@tanstack/react-query';
import { useLiveQueries, api } from '#/web/api.tsx';

/** Pending credential count, refetched every minute and on submissions; undefined until known. */
export function useCredentialsWaiting(enabled: boolean): number | undefined {
  useLiveQueries(api.providers.credentials.key(), 'providers.credentials_changed');
  return useQuery({
    ...api.providers.credentials.waitingCount.queryOptions(),
    enabled,
    refetchInterval: 60_000,
  }).data?.waiting;
}
