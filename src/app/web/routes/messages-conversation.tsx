import { data, useSearchParams } from 'react-router';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { ConversationView } from '#/features/messaging/ui/conversation-view.tsx';
import { conversationQuery, draftQuery, historyQuery } from '#/features/messaging/ui/messaging-queries.ts';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { pageRequest } from '../contexts.ts';
import { useMessageDay } from '#/features/messaging/ui/message-times.ts';
import { messagesData, nothingYet } from '../messages/messages-data.ts';
import { MissingPane } from '../messages/pane-empty.tsx';
import { isMissing } from '../load-errors.ts';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { unlisted } from '../page-meta.ts';
import type { Route } from './+types/messages-conversation.ts';

export async function loader({ context, params: { conversationId } }: Route.LoaderArgs) {
  let missing = false;
  const found = await messagesData(context.get(pageRequest), (queries, { messaging }) => [
    queries.query(conversationQuery(messaging, conversationId)).catch((error: unknown) => {
      missing = isMissing(error);
    }),
    queries.query(historyQuery(messaging, conversationId)),
    queries.query(draftQuery(messaging, conversationId)),
  ]);
  return data(found, { status: missing ? 404 : 200 });
}

export function clientLoader() {
  return nothingYet;
}

export const meta = unlisted(m.messaging_title);

export default function MessagesConversation({
  loaderData: { known, today },
  params: { conversationId },
}: Route.ComponentProps) {
  const viewer = useViewer();
  const messageDay = useMessageDay(today);
  const [query] = useSearchParams();
  const at = Number(query.get('at'));
  if (!viewer) return null;
  return (
    <DataProvider known={known}>
      <WhenHydrated>
        <ConversationView
          key={conversationId}
          conversationId={conversationId}
          at={Number.isSafeInteger(at) && at > 0 ? at : null}
          crisis={viewer.role === 'client'}
          personPath={isProvider(viewer.role) ? clientPath : null}
          missing={<MissingPane title={m.messaging_missing_title()}>{m.web_link_wrong()}</MissingPane>}
          {...messageDay}
        />
      </WhenHydrated>
    </DataProvider>
  );
}

function clientPath(id: string): string {
  return `/clients/${id}`;
}
