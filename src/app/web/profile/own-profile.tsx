import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Profile } from '#/features/accounts/contract.ts';
import { accountFailureText } from '#/features/accounts/ui/failure-text.ts';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { Card } from '#/web/components/card.tsx';
import { TryAgain } from '#/web/components/fetched.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';

export function OwnProfile({ children }: { children: (profile: Profile) => ReactNode }) {
  const query = useQuery(api.accounts.profile.queryOptions());
  useLiveQueries(api.accounts.profile.key(), 'accounts.profile_changed');
  if (query.data) return children(query.data);
  if (query.isError) {
    return (
      <Notice tone="destructive" title={m.profile_load_failed()} action={<TryAgain query={query} />}>
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
