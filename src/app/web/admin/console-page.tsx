import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { isMissing } from '../load-errors.ts';

interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/** Frame of a detail page: link to its list, loading and *not found* states. */
export function ConsolePage<Data>({
  query,
  list,
  title,
  missing,
  children,
}: {
  query: Query<Data>;
  list: { to: string; name: string };
  /** Shown while loading. */
  title: string;
  missing: string;
  children: (data: Data) => ReactNode;
}) {
  if (isMissing(query.error))
    return (
      <EmptyState
        as="h1"
        title={missing}
        action={
          <ButtonLink to={list.to} variant="secondary">
            {list.name}
          </ButtonLink>
        }
      >
        {m.web_link_wrong()}
      </EmptyState>
    );
  return (
    <>
      <nav aria-label={m.console_trail()} className="-mt-4 mb-1 sm:-mt-6">
        <Link
          to={list.to}
          className="inline-flex min-h-11 items-center gap-1 text-sm font-semibold text-quiet hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {list.name}
        </Link>
      </nav>
      {query.data === undefined && <h1 className="sr-only">{title}</h1>}
      <Fetched query={query} label={title} skeleton={<Skeleton className="h-64" />}>
        {children}
      </Fetched>
    </>
  );
}

/** Two columns on wide screens; `aside` comes after `main` on narrow ones, and before `rest`. */
export function ConsoleColumns({
  main,
  aside,
  rest,
}: {
  main: ReactNode;
  aside: ReactNode;
  rest: ReactNode;
}) {
  return (
    <div className="mt-6 grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_16.5rem] lg:grid-rows-[auto_1fr]">
      <div className="min-w-0">{main}</div>
      <aside className="grid min-w-0 content-start gap-6 lg:col-start-2 lg:row-span-2 lg:row-start-1">
        {aside}
      </aside>
      <div className="min-w-0">{rest}</div>
    </div>
  );
}
