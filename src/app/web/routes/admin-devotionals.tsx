import { lazy, Suspense } from 'react';
import { redirect } from 'react-router';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { RealtimeProvider } from '#/web/realtime.tsx';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame } from '../dashboards/dashboard-frame.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/admin-devotionals.ts';

const Devotionals = lazy(async () => ({
  default: (await import('#/features/growth/ui/devotionals-desk.tsx')).DevotionalsDesk,
}));

export async function loader({ context, request }: Route.LoaderArgs) {
  if (await context.get(pageRequest).api.accounts.me()) return null;
  const { pathname, search } = new URL(request.url);
  return redirect(`/?auth=1&next=${encodeURIComponent(pathname + search)}`);
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.devotionals_admin_title());
}

/** The year of Scripture, for whoever looks after it. */
export default function AdminDevotionals() {
  const role = useViewer()?.role ?? null;
  return (
    <DashboardFrame>
      <PermissionGate role={role} capability="moderate_content">
        <DataProvider>
          <RealtimeProvider>
            <Suspense>
              <Devotionals />
            </Suspense>
          </RealtimeProvider>
        </DataProvider>
      </PermissionGate>
    </DashboardFrame>
  );
}
