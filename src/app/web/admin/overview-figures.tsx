import { useQuery } from '@tanstack/react-query';
import { Hourglass, Stethoscope, Users } from 'lucide-react';
import type { OverviewView } from '#/features/analytics/overview/contract.ts';
import { changeText, wholeText } from '#/features/analytics/ui/figure-texts.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { LoadFailed } from '#/web/components/fetched.tsx';
import { Figures, type Figure } from '../dashboards/figures.tsx';
import { live } from '../dashboards/live.ts';

const looks = {
  pendingApprovals: { label: m.home_admin_pending_approvals, icon: <Hourglass />, hue: 'wheat' },
  activeProviders: { label: m.analytics_active_providers, icon: <Stethoscope />, hue: 'leaf' },
  totalUsers: { label: m.users_stat_users, icon: <Users />, hue: 'sea' },
} as const;

export function OverviewFigures({
  label,
  order,
  last,
}: {
  label?: string;
  order: readonly (keyof typeof looks)[];
  /** `missing` replaces the value after a failed load. */
  last: (overview: OverviewView | undefined, missing: string | undefined) => Figure;
}) {
  const overview = useQuery({ ...api.analytics.overview.queryOptions(), ...live });
  const figures = overview.data;
  const missing = overview.isError ? m.analytics_none() : undefined;
  return (
    <div className="grid gap-4">
      {overview.isError && <LoadFailed title={m.analytics_load_failed()} query={overview} />}
      <Figures
        label={label}
        figures={[
          ...order.map((id) => ({
            ...looks[id],
            label: looks[id].label(),
            value: figures ? wholeText(figures[id].now) : missing,
            note: figures && changeText(figures[id]),
          })),
          last(figures, missing),
        ]}
      />
    </div>
  );
}
