import type { ReactNode } from 'react';
import type { Capability } from '#/features/access/contract.ts';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { type Known, LiveDataProvider } from '#/web/api.tsx';
import { DashboardFrame, DashboardHeading } from './dashboard-frame.tsx';
import { GuestPage } from './guest-screen.tsx';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';

/** A provider page with preloaded data. Guests see a sign-in prompt, other roles a permission notice. */
export function ProviderPage({
  title,
  intro,
  action,
  capability,
  known,
  children,
}: {
  title: string;
  intro?: ReactNode;
  action?: ReactNode;
  capability: Capability;
  known: Known | null;
  children: ReactNode;
}) {
  const viewer = useViewer();
  if (!viewer) return <GuestPage title={title}>{m.practice_guest_text()}</GuestPage>;
  return (
    <LiveDataProvider known={known}>
      <DashboardFrame>
        <DashboardHeading title={title} action={action}>
          {intro}
        </DashboardHeading>
        <div className="mt-8">
          <PermissionGate role={viewer.role} capability={capability}>
            <WhenHydrated>{children}</WhenHydrated>
          </PermissionGate>
        </div>
      </DashboardFrame>
    </LiveDataProvider>
  );
}
