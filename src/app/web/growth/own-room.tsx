import { Suspense, type ComponentType } from 'react';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { useHydrated } from '#/features/accounts/ui/hydrated.ts';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { RealtimeProvider } from '#/web/realtime.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { DashboardFrame } from '../dashboards/dashboard-frame.tsx';
import { GuestScreen } from '../guest-screen.tsx';

/** A room of one's own: its screen once the page has come to life, and for a guest the way to sign in. */
export function OwnRoom({ title, Screen }: { title: string; Screen: ComponentType<{ viewer: Viewer }> }) {
  const viewer = useViewer();
  const hydrated = useHydrated();
  if (!viewer) {
    return (
      <DashboardFrame>
        <GuestScreen title={title} illustration={<OliveBranchIllustration />} need="save" ask>
          {m.growth_guest_text()}
        </GuestScreen>
      </DashboardFrame>
    );
  }
  const loading = (
    <DashboardFrame>
      <h1 className="sr-only">{title}</h1>
      <div className="grid min-h-80 place-items-center">
        <Spinner label={m.growth_loading()} />
      </div>
    </DashboardFrame>
  );
  if (!hydrated) return loading;
  return (
    <DataProvider>
      <RealtimeProvider>
        <Suspense fallback={loading}>
          <Screen key={viewer.id} viewer={viewer} />
        </Suspense>
      </RealtimeProvider>
    </DataProvider>
  );
}
