import { data, type ShouldRevalidateFunctionArgs } from 'react-router';
import { can } from '#/features/access/rules.ts';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { GuestScreen } from '../guest-screen.tsx';
import { prefetchFor } from '../prefetch.ts';
import { isMissing, isOff } from '../load-errors.ts';
import { unlisted } from '../page-meta.ts';
import { SessionScreen } from '../session/session-screen.tsx';
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
  if (!viewer) {
    return (
      <DashboardFrame>
        <GuestScreen title={m.video_page_title()} ask>
          {m.video_guest_text()}
        </GuestScreen>
      </DashboardFrame>
    );
  }
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
