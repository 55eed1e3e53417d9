import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

/** Fetches anew what waits for a decision, and how much it is. */
export function useRefreshWaiting(): () => Promise<unknown> {
  const api = useApi();
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [api.resources.waiting, api.resources.waitingCount].map((asked) =>
        queries.invalidateQueries({ queryKey: asked.key() }),
      ),
    );
}

/** How many resources wait for a decision, asked anew each minute and when one is sent in; undefined until it is known. */
export function useResourcesWaiting(): number | undefined {
  const api = useApi();
  const refresh = useRefreshWaiting();
  useRealtime(({ type }) => {
    if (type === 'resources.waiting' || type === 'connected') void refresh();
  });
  return useQuery({ ...api.resources.waitingCount.queryOptions(), refetchInterval: 60_000 }).data?.waiting;
}
