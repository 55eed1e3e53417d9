import type { ComponentProps, ReactNode } from 'react';
import { Fetched } from './fetched.tsx';
import { MoreButton } from './more-button.tsx';

/** Renders a paged query: loading, errors, `empty`, or the list with a “more” button. */
export function FetchedList<One>({
  query,
  entries,
  empty,
  more,
  moreClassName,
  children,
  ...states
}: Omit<ComponentProps<typeof Fetched>, 'query' | 'children'> & {
  query: ComponentProps<typeof MoreButton>['query'] & {
    isError: boolean;
    error: unknown;
    isFetching: boolean;
    refetch: () => unknown;
  };
  /** Undefined until loaded. */
  entries: readonly One[] | undefined;
  empty: ReactNode;
  more?: string;
  moreClassName?: string;
  children: (entries: readonly One[]) => ReactNode;
}) {
  const { isError, error, isFetching, refetch } = query;
  return (
    <Fetched query={{ data: entries, isError, error, isFetching, refetch }} {...states}>
      {(found) =>
        found.length === 0 ? (
          empty
        ) : (
          <>
            {children(found)}
            <MoreButton query={query} {...(moreClassName && { className: moreClassName })}>
              {more}
            </MoreButton>
          </>
        )
      }
    </Fetched>
  );
}
