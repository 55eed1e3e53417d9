import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

/** Refetches the submitted resources and their count. */
export function useRefreshWaiting(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [api.resources.waiting, api.resources.waitingCount].map((asked) =>
        queries.invalidateQueries({ queryKey: asked.key() }),
      ),
    );
}

/** Counts submitted resources, refetched every minute and on each change; undefined while loading. */
export function useResourcesWaiting(): number | undefined {
  const refresh = useRefreshWaiting();
  useRealtime(({ type }) => {
    if (type === 'resources.waiting' || type === 'missed') void refresh();
  });
  return useQuery({ ...api.resources.waitingCount.queryOptions(), refetchInterval: 60_000 }).data?.waiting;
}
