import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import type { Route } from './+types/admin.ts';
import { AdministratorRooms } from '../dashboards/administrator-rooms.tsx';
import { DashboardFrame, DashboardHeading } from '../dashboards/dashboard-frame.tsx';
import { GuestScreen } from '../guest-screen.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.admin_title());
}

/** Where administrators find their rooms; everybody else is told what that needs. */
export default function Admin() {
  const viewer = useViewer();
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
        <GuestScreen title={m.admin_title()}>{m.admin_guest_text()}</GuestScreen>
      )}
    </DashboardFrame>
  );
}
