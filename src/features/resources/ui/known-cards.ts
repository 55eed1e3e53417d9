import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { api } from '#/web/api.tsx';
import type { ResourceCard } from '../library/contract.ts';

type Marks = Partial<Pick<ResourceCard, 'favourite' | 'got'>>;

/** Returns a function that marks a resource in the lists already loaded. */
export function useMarkCards(): (id: string, marks: Marks) => void {
  const queries = useQueryClient();
  return (id, marks) =>
    queries.setQueriesData<InfiniteData<{ items: ResourceCard[] }>>(
      { queryKey: api.resources.list.key() },
      (known) =>
        known && {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            items: page.items.map((one) => (one.id === id ? { ...one, ...marks } : one)),
          })),
        },
    );
}
