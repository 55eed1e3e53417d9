import { ChartColumn, ClipboardCheck, ToggleRight, UserCog, Video } from 'lucide-react';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import type { OverviewView } from '#/features/analytics/overview/contract.ts';
import { ActivityList } from '#/features/analytics/ui/activity-list.tsx';
import { changeText, wholeText } from '#/features/analytics/ui/figure-texts.ts';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import type { Figure } from '../dashboards/figures.tsx';
import { OverviewFigures } from './overview-figures.tsx';
import { QuickAction } from '../dashboards/quick-action.tsx';

export function OverviewTab() {
  const viewer = useViewer();
  return (
    <>
      <Card className="bg-primary-soft!">
        <h2 className="text-xl sm:text-2xl">{m.home_welcome({ name: viewer?.fullName ?? '' })}</h2>
      </Card>
      <div className="mt-5">
        <OverviewFigures
          label={m.admin_overview_figures()}
          order={['totalUsers', 'activeProviders', 'pendingApprovals']}
          last={sessionsFigure}
        />
      </div>
      <div className="mt-10 grid items-start gap-x-8 gap-y-10 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <ActivityList as="h3" />
        <section aria-labelledby="quick-actions">
          <h3 id="quick-actions" className="mb-4 text-xl">
            {m.web_quick_actions()}
          </h3>
          <ul className="grid grid-cols-2 gap-3 max-xs:grid-cols-1 xl:grid-cols-1">
            {actions.map(({ to, icon, hue, title }) => (
              <li key={to}>
                <QuickAction to={to} icon={icon} hue={hue} title={title()} />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

function sessionsFigure(figures: OverviewView | undefined, missing: string | undefined): Figure {
  const running = figures?.activeSessions.running ?? 0;
  return {
    label: m.admin_overview_sessions(),
    value: figures ? wholeText(figures.activeSessions.now) : missing,
    note: figures && (
      <>
        {changeText(figures.activeSessions)}
        <span className="block">
          {running === 0 ? m.admin_overview_running_none() : m.admin_overview_running({ count: running })}
        </span>
      </>
    ),
    icon: <Video />,
    hue: 'dusk',
  };
}

const actions = [
  {
    to: '/admin/settings?tab=providers',
    icon: <ClipboardCheck />,
    hue: 'wheat',
    title: m.admin_overview_review,
  },
  {
    to: '/admin/settings?tab=users',
    icon: <UserCog />,
    hue: 'sea',
    title: m.admin_overview_roles,
  },
  {
    to: '/admin/settings?tab=features',
    icon: <ToggleRight />,
    hue: 'plum',
    title: m.admin_overview_features,
  },
  {
    to: '/admin/analytics',
    icon: <ChartColumn />,
    hue: 'leaf',
    title: m.admin_overview_analytics,
  },
] as const;
