import { data, type ShouldRevalidateFunctionArgs } from 'react-router';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, type ReactNode } from 'react';
import { can } from '#/features/access/rules.ts';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { LiveDataProvider, api } from '#/web/api.tsx';
import type { RoomRefusal, SessionPage } from '#/features/video/contract.ts';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { failureCode, failureReason } from '#/web/failures.ts';
import { useRealtime } from '#/web/realtime.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { ErrorScreen } from '#/app/web/error-screen.tsx';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { SessionFileButton } from '#/features/attendees/ui/guest-calendar.tsx';
import { isOver } from '#/features/video/ui/meeting-frame.tsx';
import { MessageLink } from '#/features/messaging/ui/send-message.tsx';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { GuestPage } from '../guest-screen.tsx';
import { prefetchFor } from '../prefetch.ts';
import { isMissing, isOff } from '../load-errors.ts';
import { unlisted } from '../page-meta.ts';
import { CompleteButton } from '../session/complete-button.tsx';
import { SessionRefusal } from '../session/session-refusal.tsx';
import type { Route } from './+types/session.ts';

const members = ['view_own_appointments', 'manage_own_appointments'] as const;

export async function loader({ context, params: { appointmentId } }: Route.LoaderArgs) {
  let missing = false;
  const found = await prefetchFor(context.get(pageRequest), (queries, { video }, { role }) => {
    if (!members.some((capability) => can(role, capability))) return [];
    const page = queries.query(video.page.queryOptions({ input: { appointmentId } }));
    return [
      page.catch((error: unknown) => {
        missing = isMissing(error) && !isOff(error);
      }),
    ];
  });
  // Non-participants can't tell that the session exists.
  // oxlint-disable-next-line typescript/only-throw-error -- so React Router takes an answer that isn't a page
  if (missing) throw data(null, { status: 404 });
  return found && found.known;
}

/** The screen updates itself; spares calls extra requests. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname === nextUrl.pathname && defaultShouldRevalidate;
}

/** Names stay out of titles, which appear in browser history and shared screens. */
export const meta = unlisted(m.video_page_title);

export default function Session({ loaderData, params: { appointmentId } }: Route.ComponentProps) {
  const viewer = useViewer();
  if (!viewer) return <GuestPage title={m.video_page_title()}>{m.video_guest_text()}</GuestPage>;
  if (!members.some((capability) => can(viewer.role, capability))) {
    return (
      <DashboardFrame>
        <h1 className="sr-only">{m.video_page_title()}</h1>
        <PermissionGate role={viewer.role} capabilities={members}>
          {null}
        </PermissionGate>
      </DashboardFrame>
    );
  }
  return (
    <LiveDataProvider known={loaderData}>
      <SessionScreen
        key={`${viewer.id} ${appointmentId}`}
        viewerId={viewer.id}
        appointmentId={appointmentId}
      />
    </LiveDataProvider>
  );
}

const loading = () => (
  <Loading>
    <Skeleton className="h-96" />
  </Loading>
);

const SessionRoom = lazyPart(
  async () => (await import('#/features/video/ui/session-room.tsx')).SessionRoom,
  () => <DashboardFrame>{loading()}</DashboardFrame>,
);

const PhoneView = lazyPart(
  async () => (await import('#/features/video/ui/phone-view.tsx')).PhoneView,
  loading,
);
const PlaceView = lazyPart(
  async () => (await import('#/features/video/ui/place-view.tsx')).PlaceView,
  loading,
);

/** Longest `setTimeout` delay browsers support, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

function SessionScreen({ appointmentId, viewerId }: { appointmentId: string; viewerId: string }) {
  const queries = useQueryClient();
  const query = useQuery(api.video.page.queryOptions({ input: { appointmentId } }));
  const page = query.data;
  const refetch = useCallback(
    () => void queries.invalidateQueries({ queryKey: api.video.page.key() }),
    [queries],
  );
  useRealtime(({ type, id }) => {
    if (type === 'missed' || type === 'booking.changed') refetch();
    if (type === 'room.changed' && id === appointmentId) refetch();
  });
  useMomentPassed(page?.opensAt, refetch);
  useMomentPassed(page?.startsAt, refetch);
  useMomentPassed(page?.closesAt, refetch);

  const hasRoom = page?.refusal === null && page.sessionType === 'online';
  if (failureReason(query.error) === 'feature_off')
    return (
      <DashboardFrame>
        <SwitchedOff wasOpen={hasRoom} />
      </DashboardFrame>
    );
  if (failureCode(query.error) === 'not_found') return <ErrorScreen kind="not_found" />;
  if (hasRoom) {
    return (
      <SessionRoom
        page={page}
        viewerId={viewerId}
        frame={RoomFrame}
        afterwards={page.completable && <CompleteButton appointmentId={appointmentId} />}
      />
    );
  }
  return (
    <DashboardFrame>
      <WhenHydrated>
        <Fetched query={query} failure={m.schedule_session_failed()}>
          {(known) => <Outside page={known} />}
        </Fetched>
      </WhenHydrated>
    </DashboardFrame>
  );
}

/** Shown while video is off, even mid-call. */
function SwitchedOff({ wasOpen }: { wasOpen: boolean }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (wasOpen) container.current?.focus();
  }, [wasOpen]);
  return (
    <Card className="mx-auto max-w-reading">
      <div ref={container} tabIndex={-1} className="outline-none">
        <EmptyState
          as="h1"
          illustration={<PathIllustration />}
          title={m.video_off_title()}
          action={<ButtonLink to="/home">{m.site_footer_home()}</ButtonLink>}
        >
          {wasOpen && `${m.video_off_room()} `}
          {m.video_off_text()}
        </EmptyState>
      </div>
    </Card>
  );
}

function RoomFrame({ children }: { children: ReactNode }) {
  return (
    <DashboardFrame>
      <WhenHydrated>{children}</WhenHydrated>
    </DashboardFrame>
  );
}

/** Whether a refusal also replaces the phone number or address of a session without a video room. */
const hidesDetails: Readonly<Record<RoomRefusal, boolean>> = {
  early: false,
  over: false,
  cancelled: true,
  unconfirmed: true,
  ended: false,
  consent_missing: true,
};

function Outside({ page }: { page: SessionPage }) {
  const { refusal, sessionType } = page;
  if (refusal !== null && (sessionType === 'online' || hidesDetails[refusal]))
    return <SessionRefusal page={page} />;
  const View = sessionType === 'phone' ? PhoneView : PlaceView;
  return <View page={page} actions={<MeetingActions page={page} />} />;
}

/** Does nothing for past instants. */
function useMomentPassed(instant: string | undefined, act: () => void): void {
  useEffect(() => {
    if (instant === undefined) return;
    // Margin for the server's clock.
    const wait = Date.parse(instant) - Date.now() + 500;
    if (wait < 0 || wait > longestTimer) return;
    // Repeats a few times, in case the server's clock is behind.
    const timers = [0, 3_000, 15_000, 60_000].map((later) => setTimeout(act, wait + later));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [instant, act]);
}

function MeetingActions({ page }: { page: SessionPage }) {
  const { appointmentId, part, completable } = page;
  return (
    <>
      {completable && <CompleteButton appointmentId={appointmentId} />}
      {!isOver(page) && <SessionFileButton appointmentId={appointmentId} guest={part === 'guest'} />}
      {part === 'provider' && <WriteToClient page={page} />}
      {part === 'client' && page.provider.takesMessages && (
        <MessageLink id={page.provider.id} name={page.provider.name} />
      )}
    </>
  );
}

function WriteToClient({ page: { appointmentId, others } }: { page: SessionPage }) {
  const appointment = useQuery(api.appointments.get.queryOptions({ input: { appointmentId } }));
  const id = appointment.data?.client?.id;
  if (!id) return null;
  return <MessageLink id={id} name={others.find(({ part }) => part === 'client')?.name ?? ''} />;
}
