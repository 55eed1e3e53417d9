import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading } from '#/web/components/skeleton.tsx';

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
  skeleton,
  failure = m.home_load_failed(),
  children,
}: {
  query: Query<Data>;
  skeleton: ReactNode;
  /** What couldn't be loaded. */
  failure?: string;
  children: (data: Data) => ReactNode;
}) {
  const again = (
    <Button variant="secondary" size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
      {m.home_try_again()}
    </Button>
  );
  if (query.data === undefined) {
    if (!query.isError) return <Loading label={m.home_loading_appointments()}>{skeleton}</Loading>;
    return (
      <Notice tone="destructive" title={failure} action={again}>
        {m.home_load_failed_text()}
      </Notice>
    );
  }
  return (
    <>
      {query.isError && (
        <Notice className="mb-4" action={again}>
          {m.home_stale()}
        </Notice>
      )}
      {children(query.data)}
    </>
  );
}
