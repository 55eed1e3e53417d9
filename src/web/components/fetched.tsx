import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Loading, Skeleton } from './skeleton.tsx';

/** As much of a query as its states take. */
interface Query<Data> {
  data: Data | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

/** What a query brings: its skeleton, then the data, or else what happened and another try. Data outlives a failure. */
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
  failureText = m.web_load_failed_text(),
  children,
}: {
  query: Query<Data>;
  /** What is loading, in words. */
  label?: string;
  skeleton?: ReactNode;
  /** What couldn't be loaded, and what to do about it. */
  failure?: string;
  failureText?: string;
  children: (data: Data) => ReactNode;
}) {
  const again = (
    <Button variant="secondary" size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
      {m.web_try_again()}
    </Button>
  );
  if (query.data === undefined) {
    if (!query.isError) return <Loading {...(label ? { label } : {})}>{skeleton}</Loading>;
    return (
      <Notice tone="destructive" title={failure} action={again}>
        {failureText}
      </Notice>
    );
  }
  return (
    <>
      {query.isError && (
        <Notice className="mb-4" action={again}>
          {m.web_stale()}
        </Notice>
      )}
      {children(query.data)}
    </>
  );
}
