import { useLocation, Outlet } from 'react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { conversationsQuery } from '#/features/messaging/ui/messaging-queries.ts';
import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { LetterIllustration } from '#/web/components/illustrations/letter.tsx';
import { DeletionBanner } from '#/features/accounts/ui/deletion-banner.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { ConversationList } from '#/features/messaging/ui/conversation-list.tsx';
import { isProvider } from '#/kernel/actor.ts';
import { ButtonLink } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { useFocusRestore } from '#/web/components/focus-restore.ts';
import { ZoneLine } from '#/web/own-zone.tsx';
import { useMessageDay } from '#/features/messaging/ui/message-times.ts';
import { pageRequest } from '../contexts.ts';
import { GuestPage } from '../guest-screen.tsx';
import { messagesData, nothingYet } from '../messages/messages-data.ts';
import { unlisted } from '../page-meta.ts';
import { BottomBar } from '../bottom-bar.tsx';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { SiteHeader } from '../site-header.tsx';
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
  if (!viewer)
    return (
      <GuestPage title={m.messaging_title()} illustration={<LetterIllustration />} need="messaging">
        {m.messaging_guest_text()}
      </GuestPage>
    );
  return (
    <LiveDataProvider known={known}>
      <MessagesScreen key={viewer.id} viewer={viewer} today={today} open={open} />
    </LiveDataProvider>
  );
}

function MessagesScreen({ viewer, today, open }: { viewer: Viewer; today: string | null; open: boolean }) {
  const main = useRef<HTMLElement>(null);
  useFocusRestore(main);
  useKeyboardResize(open);
  const messageDay = useMessageDay(today);
  const Heading = open ? 'h2' : 'h1';
  return (
    <>
      <SiteHeader tabs="pages" />
      <main
        ref={main}
        id="content"
        tabIndex={-1}
        className={classes(
          'outline-none lg:h-[calc(100dvh-4.0625rem)] lg:min-h-120',
          open
            ? 'h-[calc(100dvh-4.0625rem)] min-h-72'
            : 'max-lg:min-h-[calc(100dvh-8.0625rem)] max-lg:bg-card',
        )}
      >
        <div className="mx-auto h-full max-w-page lg:px-6 lg:py-6">
          <div className="flex h-full lg:overflow-hidden lg:rounded-card lg:border lg:border-line lg:shadow-soft">
            <section
              aria-labelledby="messages-title"
              className={classes(
                'w-full bg-card lg:w-88 lg:shrink-0 lg:overflow-y-auto lg:border-r lg:border-line',
                open && 'max-lg:hidden',
              )}
            >
              <div className="px-4 pt-6 pb-4 lg:px-5">
                <DeletionBanner />
                <Heading id="messages-title" className="text-2xl">
                  {m.messaging_title()}
                </Heading>
                <ZoneLine timeZone={messageDay.timeZone} className="mt-1 text-sm text-quiet" />
              </div>
              <WhenHydrated>
                <ConversationList {...messageDay} empty={<NoConversations viewer={viewer} />} />
              </WhenHydrated>
            </section>
            <div className={classes('min-w-0 flex-1 bg-paper', !open && 'max-lg:hidden')}>
              <Outlet />
            </div>
          </div>
        </div>
      </main>
      {open ? (
        <div className="max-lg:hidden">
          <BottomBar />
        </div>
      ) : (
        <BottomBar />
      )}
    </>
  );
}

/** Makes touch keyboards resize the page, keeping the conversation visible while typing. */
function useKeyboardResize(on: boolean): void {
  useEffect(() => {
    const viewport = document.querySelector<HTMLMetaElement>('meta[name=viewport]');
    if (!on || !viewport) return;
    const before = viewport.content;
    viewport.content = `${before}, interactive-widget=resizes-content`;
    return () => {
      viewport.content = before;
    };
  }, [on]);
}

function NoConversations({ viewer: { role } }: { viewer: Viewer }) {
  const [text, action]: [string, ReactNode] =
    role === 'client'
      ? [
          m.messaging_list_empty_client(),
          <ButtonLink key="find" to="/therapists">
            {m.messaging_list_empty_client_action()}
          </ButtonLink>,
        ]
      : isProvider(role)
        ? [
            m.messaging_list_empty_provider(),
            <ButtonLink key="clients" to="/clients">
              {m.messaging_list_empty_provider_action()}
            </ButtonLink>,
          ]
        : [m.messaging_list_empty_other(), null];
  return (
    <EmptyState
      as="h2"
      illustration={<LetterIllustration />}
      title={m.messaging_list_empty_title()}
      action={action}
      className="px-5"
    >
      {text}
    </EmptyState>
  );
}
