import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';

export function ReviewPages<One extends { id: string }>({
  query,
  empty,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<One[]>>;
  empty: ReactNode;
  children: (reviews: readonly One[]) => ReactNode;
}) {
  // New reviews shift offsets, so pages can overlap.
  const reviews = query.data && [...new Map(query.data.pages.flat().map((one) => [one.id, one])).values()];
  return (
    <FetchedList
      query={query}
      entries={reviews}
      failure={m.reviews_load_failed()}
      skeleton={<Skeleton className="h-40" />}
      empty={empty}
      more={m.reviews_show_more()}
    >
      {children}
    </FetchedList>
  );
}
