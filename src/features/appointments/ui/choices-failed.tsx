import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';

export function ChoicesFailed({
  title,
  query,
}: {
  title: string;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
}) {
  return (
    <Notice
      tone="destructive"
      title={title}
      action={
        <Button variant="secondary" size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
          {m.booking_try_again()}
        </Button>
      }
    >
      {m.web_check_connection()}
    </Notice>
  );
}
