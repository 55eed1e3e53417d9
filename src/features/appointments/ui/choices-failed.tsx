import { m } from '#/texts/messages.js';
import { Notice } from '#/web/components/notice.tsx';
import { TryAgain } from '#/web/components/fetched.tsx';

export function ChoicesFailed({
  title,
  query,
}: {
  title: string;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
}) {
  return (
    <Notice tone="destructive" title={title} action={<TryAgain query={query} />}>
      {m.web_check_connection()}
    </Notice>
  );
}
