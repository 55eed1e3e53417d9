import { Suspense, useEffect, useRef, type ComponentType } from 'react';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { useHydrated } from '#/features/accounts/ui/hydrated.ts';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { RealtimeProvider } from '#/web/realtime.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { DashboardFrame } from '../dashboards/dashboard-frame.tsx';

/** A room of one's own: its screen once the page has come to life, and for a guest the way to sign in. */
export function OwnRoom({ title, Screen }: { title: string; Screen: ComponentType<{ viewer: Viewer }> }) {
  const viewer = useViewer();
  const hydrated = useHydrated();
  if (!viewer) return <Guest title={title} />;
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

/** A guest is asked to sign in at once, and finds the way to it here for as long as they stay a guest. */
function Guest({ title }: { title: string }) {
  const { requireAuth } = useAuthRequired();
  const asked = useRef(false);
  useEffect(() => {
    // Once a visit: who would rather look around isn't asked again.
    if (asked.current) return;
    asked.current = true;
    requireAuth('save', () => undefined);
  }, [requireAuth]);
  return (
    <DashboardFrame>
      <Card className="mx-auto max-w-reading">
        <EmptyState
          as="h1"
          illustration={<OliveBranchIllustration />}
          title={title}
          action={
            <Button onClick={() => requireAuth('save', () => undefined)}>{m.accounts_sign_in()}</Button>
          }
        >
          {m.growth_guest_text()}
        </EmptyState>
      </Card>
    </DashboardFrame>
  );
}
