import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';

/** As much of a query as its states take. */
interface Query<Data> {
  data: Data | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/** What a query brings: skeletons, then the data, or else what happened and another try. Data outlives a failure. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: Query<Data>;
  children: (data: Data) => ReactNode;
}) {
  const again = (
    <Button variant="secondary" size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
      {m.growth_try_again()}
    </Button>
  );
  if (query.data === undefined) {
    if (query.isError) {
      return (
        <Notice tone="destructive" title={m.growth_load_failed()} action={again}>
          {m.growth_load_failed_text()}
        </Notice>
      );
    }
    return (
      <Loading label={m.growth_loading()} className="grid gap-4">
        <Skeleton className="h-36" />
        <Skeleton className="h-36" />
      </Loading>
    );
  }
  return (
    <>
      {query.isError && (
        <Notice className="mb-4" action={again}>
          {m.growth_stale()}
        </Notice>
      )}
      {children(query.data)}
    </>
  );
}

/** Brings the next page of a list. */
export function MoreButton({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  if (!query.hasNextPage) return null;
  return (
    <div className="mt-6 text-center">
      <Button variant="secondary" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {m.growth_show_more()}
      </Button>
    </div>
  );
}
