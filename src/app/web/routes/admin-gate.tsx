import { LoaderCircle, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Outlet, useLocation } from 'react-router';
import type { PortalState } from '#/features/accounts/contract.ts';
import type { Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AdminFrame } from '../admin/admin-frame.tsx';
import { AdminHeader } from '../admin/admin-header.tsx';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { unlessSearchChanged } from '../revalidation.ts';
import type { Route } from './+types/admin-gate.ts';

// Administrators rarely see it.
const AdminSignIn = lazyPart(
  async () => (await import('#/features/accounts/ui/admin-sign-in.tsx')).AdminSignIn,
);

export function loader({ context }: Route.LoaderArgs) {
  return context.get(pageRequest).api.administration.portal();
}

/** Tabs and filters don't wait for it: what they load is checked, too. */
export const shouldRevalidate = unlessSearchChanged;

/**
 * Access check for administrator pages (administrator spec, section 4). Child routes render only content: frame,
 * header, data and loading state live here.
 */
export default function AdminGate({ loaderData: { state, address, role } }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  if (state === 'open')
    return (
      <AdminFrame>
        <Outlet />
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

const roleNames: Readonly<Record<Role, () => string>> = {
  super_admin: m.users_role_super_admin,
  doctor: m.users_role_doctor,
  pastor: m.users_role_pastor,
  client: m.users_role_client,
};

/** Shown when the email isn't an administrator's. */
function AccessDenied({ address }: Pick<PortalState, 'address'>) {
  return (
    <GateCard icon={<ShieldX />} title={m.admin_denied_title()}>
      <p>{m.admin_denied_text()}</p>
      <dl className="mt-4 rounded-control bg-sunken px-4 py-3">
        <dt className="sr-only">{m.accounts_email()}</dt>
        <dd className="font-semibold">{address}</dd>
        <dd>{m.admin_denied_level()}</dd>
      </dl>
      <ButtonLink to="/home" className="mt-6">
        {m.web_back_home()}
      </ButtonLink>
    </GateCard>
  );
}

/** Shown while an administrator's role is still pending. */
function SettingUp({ role }: Pick<PortalState, 'role'>) {
  const hydrated = useHydrated();
  return (
    <GateCard icon={<LoaderCircle />} title={m.admin_waiting_title()}>
      <p>{m.admin_waiting_text()}</p>
      <p className="mt-4 font-semibold">
        {m.admin_waiting_role({ role: role ? roleNames[role]() : m.admin_waiting_role_none() })}
      </p>
      <Button className="mt-6" disabled={!hydrated} onClick={() => window.location.reload()}>
        {m.admin_waiting_refresh()}
      </Button>
    </GateCard>
  );
}

function GateCard({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Card className="mx-auto max-w-md text-center text-quiet">
      <span className="mb-3 inline-grid size-12 place-items-center rounded-full bg-sunken text-ink">
        {icon}
      </span>
      <h1 className="mb-2 text-2xl text-ink">{title}</h1>
      {children}
    </Card>
  );
}
