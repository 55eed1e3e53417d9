import { Outlet, useLocation } from 'react-router';
import { AdminSignIn } from '#/features/accounts/ui/admin-sign-in.tsx';
import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';
import { AdminFrame } from '../admin/admin-frame.tsx';
import { AdminHeader } from '../admin/admin-header.tsx';
import { AccessDenied, SettingUp } from '../admin/gate.tsx';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame } from '../dashboard-frame.tsx';
import type { Route } from './+types/admin-gate.ts';

export function loader({ context }: Route.LoaderArgs) {
  return context.get(pageRequest).api.administration.portal();
}

/**
 * Access check for administrator pages (administrator spec, section 4). Child routes render only content: frame,
 * header, data and loading state live here.
 */
export default function AdminGate({ loaderData: { state, address, role } }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  if (state === 'open')
    return (
      <AdminFrame>
        <LazyBoundary fallback={<Spinner label={m.admin_loading()} />}>
          <Outlet />
        </LazyBoundary>
      </AdminFrame>
    );
  return (
    <DashboardFrame header={<AdminHeader />}>
      {state === 'guest' && <AdminSignIn next={pathname + search} />}
      {state === 'denied' && <AccessDenied address={address} />}
      {state === 'waiting' && <SettingUp role={role} />}
    </DashboardFrame>
  );
}
