import { ChartNoAxesColumn, HandHeart, NotebookPen, Sprout } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { can } from '#/features/access/rules.ts';
import { goalsQuery, journalQuery, prayersQuery } from '#/features/growth/ui/growth-queries.ts';
import { m } from '#/texts/messages.js';
import { useGrowthNews } from '#/features/growth/ui/growth-actions.ts';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { Tabs } from '#/web/components/tabs.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { pageRequest } from '../contexts.ts';
import { GrowthPage, type GrowthPageProps } from '../growth/growth-page.tsx';
import { roomData } from '../growth/room-data.ts';
import { unlisted } from '../page-meta.ts';
import { unlessSearchChanged } from '../revalidation.ts';
import type { Route } from './+types/growth.ts';
import { DashboardFrame, DashboardHeading } from '../dashboard-frame.tsx';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';

export function loader({ context, request }: Route.LoaderArgs) {
  const tab = new URL(request.url).searchParams.get('tab');
  return roomData(context.get(pageRequest), (queries, { growth, words }, { role }) => {
    if (tab === 'journal') {
      return [
        queries.query(words.get.queryOptions()),
        queries.query(growth.journal.months.queryOptions()),
        queries.infiniteQuery(journalQuery(growth, '')),
      ];
    }
    if (tab === 'prayer' && can(role, 'book_appointments'))
      return [queries.infiniteQuery(prayersQuery(growth))];
    if (tab === 'progress') return [queries.query(growth.progress.mine.queryOptions())];
    return [
      queries.infiniteQuery(goalsQuery(growth, 'open')),
      queries.infiniteQuery(goalsQuery(growth, 'achieved')),
    ];
  });
}

export const shouldRevalidate = unlessSearchChanged;

export const meta = unlisted(m.growth_title);

export default function Growth({ loaderData }: Route.ComponentProps) {
  return <GrowthPage title={m.growth_guest_title()} Screen={GrowthScreen} data={loaderData} />;
}

const loading = () => <Spinner label={m.web_loading()} className="py-16" />;

const GoalsPanel = lazyPart(
  async () => (await import('#/features/growth/ui/goals-panel.tsx')).GoalsPanel,
  loading,
);
const JournalPanel = lazyPart(
  async () => (await import('#/features/growth/ui/journal-panel.tsx')).JournalPanel,
  loading,
);
const PrayerPanel = lazyPart(
  async () => (await import('#/features/growth/ui/prayer-panel.tsx')).PrayerPanel,
  loading,
);
const Progress = lazyPart(async () => (await import('../growth/progress.tsx')).Progress, loading);

function GrowthScreen({ viewer, timeZone, today }: GrowthPageProps) {
  const news = useGrowthNews();
  const [query, setQuery] = useSearchParams();
  const [unsaved, setUnsaved] = useState(false);
  const panels = [
    {
      id: 'goals',
      label: m.growth_tab_goals(),
      icon: <Sprout />,
      content: <GoalsPanel timeZone={timeZone} />,
    },
    {
      id: 'journal',
      label: m.growth_tab_journal(),
      icon: <NotebookPen />,
      content: <JournalPanel today={today} onUnsaved={setUnsaved} />,
    },
    ...(can(viewer.role, 'book_appointments')
      ? [
          {
            id: 'prayer',
            label: m.growth_tab_prayer(),
            icon: <HandHeart />,
            content: <PrayerPanel timeZone={timeZone} />,
          },
        ]
      : []),
    {
      id: 'progress',
      label: m.growth_tab_progress(),
      icon: <ChartNoAxesColumn />,
      content: <Progress />,
    },
  ];
  const asked = query.get('tab');
  const value = panels.find(({ id }) => id === asked)?.id ?? 'goals';
  return (
    <DashboardFrame news={news}>
      <DashboardHeading title={m.growth_heading()} />
      <div className="mt-6">
        <WhenHydrated>
          <Tabs
            label={m.growth_heading()}
            value={value}
            onChange={(id) =>
              setQuery(id === 'goals' ? {} : { tab: id }, { replace: true, preventScrollReset: true })
            }
            tabs={panels.map((panel) => ({
              ...panel,
              content: <div className="pt-6 sm:pt-8">{panel.content}</div>,
            }))}
          />
        </WhenHydrated>
      </div>
      <LeaveGuard unsaved={unsaved} />
    </DashboardFrame>
  );
}
