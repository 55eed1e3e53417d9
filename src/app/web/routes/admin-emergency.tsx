import { lazy, Suspense } from 'react';
import { redirect } from 'react-router';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame } from '../dashboards/dashboard-frame.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/admin-emergency.ts';

const EmergencyRoom = lazy(async () => ({
  default: (await import('#/features/messaging/ui/emergency-room.tsx')).EmergencyRoom,
}));

export async function loader({ context, request }: Route.LoaderArgs) {
  if (await context.get(pageRequest).api.accounts.me()) return null;
  const { pathname, search } = new URL(request.url);
  return redirect(`/?auth=1&next=${encodeURIComponent(pathname + search)}`);
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.messaging_emergency_title());
}

/** Where an administrator opens the conversation of two people in an emergency. */
export default function AdminEmergency() {
  const role = useViewer()?.role ?? null;
  return (
    <DashboardFrame>
      <PermissionGate role={role} capability="manage_users">
        <DataProvider>
          <Suspense>
            <EmergencyRoom />
          </Suspense>
        </DataProvider>
      </PermissionGate>
    </DashboardFrame>
  );
}
