import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Fetched } from '#/web/components/fetched.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';

interface PagedQuery<One> {
  data: { pages: One[][] } | undefined;
  isError: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

export function ReviewPages<One extends { id: string }>({
  query,
  empty,
  children,
}: {
  query: PagedQuery<One>;
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
        // New reviews shift offsets, so pages can overlap.
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
