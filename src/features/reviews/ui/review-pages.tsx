import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Fetched } from '#/web/components/fetched.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';

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
  return (
    <Fetched
      query={query}
      label={m.reviews_loading()}
      failure={m.reviews_load_failed()}
      skeleton={<Skeleton className="h-40" />}
    >
      {({ pages }) => {
        // One that came meanwhile shifts the others: nobody is shown twice.
        const reviews = [...new Map(pages.flat().map((one) => [one.id, one])).values()];
        return (
          <>
            {reviews.length === 0 ? empty : children(reviews)}
            <MoreButton query={query}>{m.reviews_show_more()}</MoreButton>
          </>
        );
      }}
    </Fetched>
  );
}
