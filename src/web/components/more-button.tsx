import { m } from '#/texts/messages.js';
import { Button } from './button.tsx';

export function MoreButton({
  query,
  className = 'mt-4',
  children = m.web_show_more(),
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  className?: string;
  children?: string;
}) {
  if (!query.hasNextPage) return null;
  return (
    <div className={className}>
      <Button variant="secondary" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {children}
      </Button>
    </div>
  );
}
