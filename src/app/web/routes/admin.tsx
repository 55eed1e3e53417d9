import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import type { Route } from './+types/admin.ts';
import { AdministratorRooms } from '../dashboards/administrator-rooms.tsx';
import { DashboardFrame, DashboardHeading } from '../dashboards/dashboard-frame.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.admin_title());
}

/** Where administrators find their rooms; everybody else is told what that needs. */
export default function Admin() {
  const viewer = useViewer();
  const { requireAuth } = useAuthRequired();
  return (
    <DashboardFrame>
      {viewer ? (
        <>
          <DashboardHeading title={m.admin_title()} />
          <div className="mt-8">
            <PermissionGate role={viewer.role} capability="access_admin_panel">
              <AdministratorRooms className="sm:grid-cols-2 lg:grid-cols-3" />
            </PermissionGate>
          </div>
        </>
      ) : (
        <Card className="mx-auto max-w-reading">
          <EmptyState
            as="h1"
            illustration={<WindowIllustration />}
            title={m.admin_title()}
            action={
              <Button onClick={() => requireAuth('other', () => undefined)}>{m.accounts_sign_in()}</Button>
            }
          >
            {m.admin_guest_text()}
          </EmptyState>
        </Card>
      )}
    </DashboardFrame>
  );
}
