import type { ComponentType } from 'react';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { type Known, LiveDataProvider } from '#/web/api.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { deviceZone } from '#/kernel/date-text.ts';
import { useNow } from '#/web/now.ts';
import { dateIn } from '#/web/times.ts';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { GuestPage } from '../guest-screen.tsx';

export interface GrowthPageProps {
  viewer: Viewer;
  timeZone: string;
  today: string;
}

export function GrowthPage({
  title,
  guestText = m.growth_guest_text(),
  Screen,
  data,
}: {
  title: string;
  guestText?: string;
  Screen: ComponentType<GrowthPageProps>;
  /** Null on the server, which doesn't know the zone. */
  data: { today: string | null; known: Known } | null;
}) {
  const viewer = useViewer();
  const now = useNow();
  if (!viewer)
    return (
      <GuestPage title={title} illustration={<OliveBranchIllustration />} need="save">
        {guestText}
      </GuestPage>
    );
  const timeZone = viewer.timeZone ?? deviceZone();
  const today = now === null ? data?.today : dateIn(now, timeZone);
  // Only the browser knows the date then.
  if (!today) {
    return (
      <DashboardFrame>
        <h1 className="sr-only">{title}</h1>
        <div className="grid min-h-80 place-items-center">
          <Spinner label={m.web_loading()} />
        </div>
      </DashboardFrame>
    );
  }
  return (
    <LiveDataProvider known={data?.known ?? null}>
      <Screen key={viewer.id} viewer={viewer} timeZone={timeZone} today={today} />
    </LiveDataProvider>
  );
}
