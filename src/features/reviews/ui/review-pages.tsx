import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';

/** As much of a paged query as its states take. */
interface PagedQuery<One> {
  data: { pages: One[][] } | undefined;
  isError: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

/** Reviews page by page: their skeleton, then the list with the way to more, or else what happened and another try. */
export function ReviewPages<One extends { id: string }>({
  query,
  empty,
  children,
}: {
  query: PagedQuery<One>;
  /** Stands in the list's place while there are none. */
  empty: ReactNode;
  children: (reviews: readonly One[]) => ReactNode;
}) {
  const { data } = query;
  if (!data && !query.isError) {
    return (
      <Loading label={m.reviews_loading()}>
        <Skeleton className="h-40" />
      </Loading>
    );
  }
  const failure = query.isError && (
    <Notice
      tone="destructive"
      title={m.reviews_load_failed()}
      className="mb-4"
      action={
        <Button variant="secondary" size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
          {m.reviews_try_again()}
        </Button>
      }
    >
      {m.reviews_load_failed_text()}
    </Notice>
  );
  if (!data) return failure;
  // One that came meanwhile shifts the others: nobody is shown twice.
  const reviews = [...new Map(data.pages.flat().map((one) => [one.id, one])).values()];
  return (
    <>
      {failure}
      {reviews.length === 0 ? empty : children(reviews)}
      {query.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-4"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {m.reviews_show_more()}
        </Button>
      )}
    </>
  );
}

/** How a list of reviews goes on: from the number of those that are there, until a page isn't full. */
export function nextOffset(limit: number) {
  return <One,>(last: readonly One[], pages: readonly (readonly One[])[]) =>
    last.length < limit ? undefined : pages.length * limit;
}
