import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Profile } from '#/features/accounts/contract.ts';
import { accountFailureText } from '#/features/accounts/ui/failure-text.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { useRealtime } from '#/web/realtime.tsx';

export function OwnProfile({ children }: { children: (profile: Profile) => ReactNode }) {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery({ ...api.accounts.profile.queryOptions(), networkMode: 'always' });
  useRealtime(({ type }) => {
    if (type === 'accounts.profile_changed' || type === 'connected')
      void queries.invalidateQueries({ queryKey: api.accounts.profile.key() });
  });
  if (query.data) return children(query.data);
  if (query.isError) {
    return (
      <Notice
        tone="destructive"
        title={m.profile_load_failed()}
        action={
          <Button variant="secondary" size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
            {m.web_try_again()}
          </Button>
        }
      >
        {accountFailureText(query.error)}
      </Notice>
    );
  }
  return (
    <Loading>
      <Card className="grid gap-5">
        <Skeleton className="size-24 rounded-full" />
        <Skeleton className="h-12 max-w-reading" />
        <Skeleton className="h-12 max-w-reading" />
        <Skeleton className="h-12 max-w-reading" />
      </Card>
    </Loading>
  );
}
