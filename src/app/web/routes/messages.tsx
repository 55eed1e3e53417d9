import { useLocation } from 'react-router';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { conversationsQuery } from '#/features/messaging/ui/messaging-queries.ts';
import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { LetterIllustration } from '#/web/components/illustrations/letter.tsx';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { GuestScreen } from '../guest-screen.tsx';
import { messagesData, nothingYet } from '../messages/messages-data.ts';
import { MessagesScreen } from '../messages/messages-screen.tsx';
import { unlisted } from '../page-meta.ts';
import type { Route } from './+types/messages.ts';

export function loader({ context }: Route.LoaderArgs) {
  return messagesData(context.get(pageRequest), (queries, { messaging }) => [
    queries.infiniteQuery(conversationsQuery(messaging)),
  ]);
}

export function clientLoader() {
  return nothingYet;
}

/** Names stay out of titles, which appear in browser history and shared screens. */
export const meta = unlisted(m.messaging_title);

/** The conversation list; child routes render beside it. */
export default function Messages({ loaderData: { known, today } }: Route.ComponentProps) {
  const viewer = useViewer();
  const open = useLocation().pathname.replace(/\/$/, '') !== '/messages';
  if (!viewer) {
    return (
      <DashboardFrame>
        <GuestScreen title={m.messaging_title()} illustration={<LetterIllustration />} need="messaging" ask>
          {m.messaging_guest_text()}
        </GuestScreen>
      </DashboardFrame>
    );
  }
  return (
    <LiveDataProvider known={known}>
      <MessagesScreen key={viewer.id} viewer={viewer} today={today} open={open} />
    </LiveDataProvider>
  );
}
