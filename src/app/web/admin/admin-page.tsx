import type { ReactNode } from 'react';
import type { Capability } from '#/features/access/contract.ts';
import { can } from '#/features/access/rules.ts';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { AdminFrame } from './admin-frame.tsx';

export function AdminPage({
  title,
  capability,
  children,
}: {
  title: string;
  capability: Capability;
  children: ReactNode;
}) {
  const role = useViewer()?.role ?? null;
  const Frame = can(role, 'access_admin_panel') ? AdminFrame : DashboardFrame;
  return (
    <Frame>
      {!can(role, capability) && <h1 className="sr-only">{title}</h1>}
      <PermissionGate role={role} capability={capability}>
        {children}
      </PermissionGate>
    </Frame>
  );
}
