import { useState, type ComponentType } from 'react';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { dayOf } from '#/features/growth/ui/dates.ts';
import { m } from '#/texts/messages.js';
import { DataProvider, type Known } from '#/web/api.tsx';
import { RealtimeProvider } from '#/web/realtime.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { DashboardFrame } from '../dashboards/dashboard-frame.tsx';
import { GuestScreen } from '../guest-screen.tsx';

/** What a room's screen is told: whose it is, the zone in which days are told, and the day there (`YYYY-MM-DD`). */
export interface RoomProps {
  viewer: Viewer;
  timeZone: string;
  today: string;
}

/** A room of one's own, with what its loader brings for who is signed in; for a guest the way to sign in. */
export function OwnRoom({
  title,
  Screen,
  data,
}: {
  title: string;
  Screen: ComponentType<RoomProps>;
  /** `today` is null where the server doesn't know the person's zone. */
  data: { today: string | null; known: Known } | null;
}) {
  const viewer = useViewer();
  const hydrated = useHydrated();
  const [opened] = useState(() => Date.now());
  if (!viewer) {
    return (
      <DashboardFrame>
        <GuestScreen title={title} illustration={<OliveBranchIllustration />} need="save" ask>
          {m.growth_guest_text()}
        </GuestScreen>
      </DashboardFrame>
    );
  }
  // Then only the browser can say which day it is, once the page has come to life.
  if (!data?.today && !hydrated) {
    return (
      <DashboardFrame>
        <h1 className="sr-only">{title}</h1>
        <div className="grid min-h-80 place-items-center">
          <Spinner label={m.growth_loading()} />
        </div>
      </DashboardFrame>
    );
  }
  const timeZone = viewer.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <DataProvider known={data?.known ?? null}>
      <RealtimeProvider>
        <Screen
          key={viewer.id}
          viewer={viewer}
          timeZone={timeZone}
          today={data?.today ?? dayOf(opened, timeZone)}
        />
      </RealtimeProvider>
    </DataProvider>
  );
}
