import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useGrowthNews } from '#/features/growth/ui/growth-acts.ts';
import { PrayerBoard } from '#/features/growth/ui/prayer-board.tsx';
import { m } from '#/texts/messages.js';
import { DashboardFrame, DashboardHeading } from '../dashboards/dashboard-frame.tsx';

/** What a doctor or pastor is asked to pray for; everybody else is told what that needs. */
export function PrayersScreen({ viewer }: { viewer: Viewer }) {
  const news = useGrowthNews();
  const timeZone = viewer.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <DashboardFrame news={news}>
      <DashboardHeading title={m.growth_prayers_title()}>{m.growth_prayers_intro()}</DashboardHeading>
      <div className="mt-8">
        <PermissionGate role={viewer.role} roles={['doctor', 'pastor']}>
          <PrayerBoard timeZone={timeZone} />
        </PermissionGate>
      </div>
    </DashboardFrame>
  );
}
