import { m } from '#/texts/messages.js';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';

/** Stands beside the list while no conversation is open. */
export default function MessagesStart() {
  return (
    <div className="grid h-full place-items-center p-6">
      <EmptyState as="h2" illustration={<TableIllustration />} title={m.messaging_choose_title()}>
        {m.messaging_choose_text()}
      </EmptyState>
    </div>
  );
}
