import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useGrowthNews } from '#/features/growth/ui/growth-acts.ts';
import { PrayerBoard } from '#/features/growth/ui/prayer-board.tsx';
import { m } from '#/texts/messages.js';
import { DashboardFrame, DashboardHeading } from '../dashboard-frame.tsx';
import { WhenHydrated } from '../when-hydrated.tsx';
import type { RoomProps } from './own-room.tsx';

export function PrayersScreen({ viewer, timeZone }: RoomProps) {
  const news = useGrowthNews();
  return (
    <DashboardFrame news={news}>
      <DashboardHeading title={m.growth_prayers_title()}>{m.growth_prayers_intro()}</DashboardHeading>
      <div className="mt-8">
        <PermissionGate role={viewer.role} roles={['doctor', 'pastor']}>
          <WhenHydrated>
            <PrayerBoard timeZone={timeZone} />
          </WhenHydrated>
        </PermissionGate>
      </div>
    </DashboardFrame>
  );
}
