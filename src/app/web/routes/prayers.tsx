import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useGrowthNews } from '#/features/growth/ui/growth-actions.ts';
import { receivedQuery } from '#/features/growth/ui/growth-queries.ts';
import { PrayerBoard } from '#/features/growth/ui/prayer-board.tsx';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame, DashboardHeading } from '../dashboard-frame.tsx';
import { GrowthPage, type GrowthPageProps } from '../growth/growth-page.tsx';
import { roomData } from '../growth/room-data.ts';
import { unlisted } from '../page-meta.ts';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import type { Route } from './+types/prayers.ts';

export function loader({ context }: Route.LoaderArgs) {
  return roomData(context.get(pageRequest), (queries, { growth }, { role }) =>
    isProvider(role) ? [queries.infiniteQuery(receivedQuery(growth, 'open'))] : [],
  );
}

export const meta = unlisted(m.growth_prayers_title);

export default function Prayers({ loaderData }: Route.ComponentProps) {
  return (
    <GrowthPage
      title={m.growth_prayers_title()}
      guestText={m.practice_guest_text()}
      Screen={PrayersScreen}
      data={loaderData}
    />
  );
}

function PrayersScreen({ viewer, timeZone }: GrowthPageProps) {
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
