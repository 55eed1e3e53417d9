import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '#/web/api.tsx';
import { conversationsQuery } from '#/features/messaging/ui/messaging-queries.ts';
import { m } from '#/texts/messages.js';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';

/** Placeholder beside the list; renders nothing without conversations. */
export default function MessagesStart() {
  const list = useInfiniteQuery(conversationsQuery(api.messaging));
  if (list.data?.pages[0]?.conversations.length === 0) return null;
  return (
    <div className="grid h-full place-items-center p-6">
      <EmptyState as="h2" illustration={<TableIllustration />} title={m.messaging_choose_title()} />
    </div>
  );
}
