import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { failureText } from '../failures.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Loading, Skeleton } from './skeleton.tsx';

interface Query<Data> {
  data: Data | undefined;
  isError: boolean;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** Renders a query: skeleton, then data, or an error with a retry button. Keeps data visible when a refetch fails. */
export function Fetched<Data>({
  query,
  label,
  skeleton = (
    <div className="grid gap-4">
      <Skeleton className="h-36" />
      <Skeleton className="h-36" />
    </div>
  ),
  failure = m.web_load_failed(),
  children,
}: {
  query: Query<Data>;
  label?: string;
  skeleton?: ReactNode;
  failure?: string;
  children: (data: Data) => ReactNode;
}) {
  if (query.data === undefined) {
    if (!query.isError) return <Loading {...(label ? { label } : {})}>{skeleton}</Loading>;
    return <LoadFailed title={failure} query={query} />;
  }
  return (
    <>
      {query.isError && (
        <Notice className="mb-4" action={<TryAgain query={query} />}>
          {m.web_stale()}
        </Notice>
      )}
      {children(query.data)}
    </>
  );
}

/** `kept`: entries beside it stay. */
export function LoadFailed({
  title,
  query,
  kept = false,
  className,
}: {
  title: string;
  query: Pick<Query<unknown>, 'error' | 'isFetching' | 'refetch'>;
  kept?: boolean;
  className?: string | undefined;
}) {
  const text = failureText(query.error, { unreachable: m.web_check_connection });
  return (
    <Notice tone="destructive" title={title} className={className} action={<TryAgain query={query} />}>
      {kept ? `${text} ${m.web_entries_kept()}` : text}
    </Notice>
  );
}

export function TryAgain({ query }: { query: Pick<Query<unknown>, 'isFetching' | 'refetch'> }) {
  return (
    <Button variant="secondary" size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
      {m.web_try_again()}
    </Button>
  );
}
