import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import { WaitingEntry } from './waiting-entry.tsx';

export function WaitingResources() {
  const api = useApi();
  const queries = useQueryClient();
  useRealtime(({ type }) => {
    if (type === 'resources.waiting' || type === 'connected')
      void queries.invalidateQueries({ queryKey: api.resources.waiting.key() });
  });
  const waiting = useInfiniteQuery({
    ...api.resources.waiting.infiniteOptions({
      input: (cursor: string | undefined) => ({ limit: 10, ...(cursor ? { cursor } : {}) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.next ?? undefined,
    }),
  });
  return (
    <section aria-labelledby="waiting-resources">
      <h2 id="waiting-resources" className="mb-4 text-xl">
        {m.resources_waiting_title()}
      </h2>
      <Fetched
        query={waiting}
        label={m.resources_loading()}
        failure={m.resources_waiting_failed()}
        skeleton={<Skeleton className="h-40" />}
      >
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <p className="text-quiet">{m.resources_waiting_none()}</p>;
          return (
            <>
              <ul className="grid gap-4">
                {items.map((resource) => (
                  // Remounts for a new version, which must be reopened.
                  <WaitingEntry key={`${resource.id} ${resource.version}`} resource={resource} />
                ))}
              </ul>
              <MoreButton query={waiting} />
            </>
          );
        }}
      </Fetched>
    </section>
  );
}
