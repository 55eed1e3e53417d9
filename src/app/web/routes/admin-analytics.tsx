import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  ArrowLeft,
  CalendarCheck,
  Clock,
  Gauge,
  RefreshCw,
  Smile,
  Star,
  Stethoscope,
  Users,
} from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { OverviewView } from '#/features/analytics/overview/contract.ts';
import type { ReportView } from '#/features/analytics/contract.ts';
import { ActivityList } from '#/features/analytics/ui/activity-list.tsx';
import { ExportMenu } from '#/features/analytics/ui/export-menu.tsx';
import { changeText, percentText, ratingText, wholeText } from '#/features/analytics/ui/figure-texts.ts';
import { HealthList } from '#/features/analytics/ui/health-list.tsx';
import { MonthCharts } from '#/features/analytics/ui/month-charts.tsx';
import { RangeForm } from '#/features/analytics/ui/range-form.tsx';
import { formatInstant } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { failureCode } from '#/web/failures.ts';
import { useOwnZone, ZoneLine } from '#/web/own-zone.tsx';
import { zoneText } from '#/web/times.ts';
import { DashboardHeading } from '../dashboard-frame.tsx';
import { Figures } from '../dashboards/figures.tsx';
import { live } from '../dashboards/live.ts';
import { unlisted } from '../page-meta.ts';

export const meta = unlisted(m.analytics_admin_title);

export default function AdminAnalytics() {
  const [query, setQuery] = useSearchParams();
  const asked = { from: query.get('from') ?? undefined, to: query.get('to') ?? undefined };
  const overview = useQuery({ ...api.analytics.overview.queryOptions(), ...live });
  const first = useQuery({
    ...api.analytics.report.queryOptions({ input: asked }),
    ...live,
    placeholderData: keepPreviousData,
    retry: (failures, error) => failures < 1 && failureCode(error) !== 'invalid',
  });
  // Invalid dates in the URL: shows an error with the default range.
  const unreadable = failureCode(first.error) === 'invalid';
  const usual = useQuery({
    ...api.analytics.report.queryOptions({ input: {} }),
    ...live,
    enabled: unreadable,
  });
  const report = unreadable ? usual : first;
  const shown = report.data;

  return (
    <>
      <ButtonLink to="/home" variant="quiet" size="sm" className="-mt-3 -ml-3.5">
        <ArrowLeft />
        {m.analytics_admin_back()}
      </ButtonLink>
      <DashboardHeading
        title={m.analytics_admin_title()}
        action={
          <div className="flex flex-wrap gap-2">
            <ExportMenu
              range={shown && !report.isPlaceholderData ? { from: shown.from, to: shown.to } : undefined}
            />
            <RefreshButton />
          </div>
        }
      />
      <ZoneLine timeZone={useOwnZone()} className="mt-2 text-sm text-quiet" />
      <div className="mt-4 sm:mt-6">
        <Cards overview={overview.data} report={shown} failed={overview.isError} />
      </div>
      <section aria-labelledby="monthly" className="mt-7 sm:mt-10">
        <h2 id="monthly" className="mb-3 text-xl">
          {m.analytics_monthly()}
        </h2>
        {unreadable && <Notice className="mb-4">{m.analytics_range_unreadable()}</Notice>}
        <Fetched query={report} failure={m.analytics_load_failed()} skeleton={<Skeleton className="h-96" />}>
          {(data) => (
            <>
              <RangeForm
                key={`${data.from} ${data.to}`}
                shown={{ from: data.from, to: data.to }}
                today={data.today}
                onChange={(range) => setQuery({ ...range }, { replace: true, preventScrollReset: true })}
              />
              <Card className="mt-4 max-sm:p-4!">
                <MonthCharts months={data.months} />
                <p className="mt-3 text-sm text-quiet">
                  {m.analytics_monthly_zone({ zone: zoneText(data.timeZone) })}
                </p>
              </Card>
              <div className="mt-4">
                <Tiles overview={overview.data} report={data} failed={overview.isError} />
              </div>
            </>
          )}
        </Fetched>
      </section>
      <div className="mt-7 grid items-start gap-8 sm:mt-10 lg:grid-cols-2">
        <ActivityList />
        <HealthList />
      </div>
    </>
  );
}

interface Known {
  overview: OverviewView | undefined;
  report: ReportView | undefined;
  failed: boolean;
}

function Cards({ overview, report, failed }: Known) {
  const missing = failed ? m.analytics_none() : undefined;
  return (
    <Figures
      label={m.admin_overview_figures()}
      figures={[
        {
          label: m.users_stat_users(),
          value: overview ? wholeText(overview.totalUsers.now) : missing,
          note: overview && changeText(overview.totalUsers),
          icon: <Users />,
          hue: 'sea',
        },
        {
          label: m.analytics_sessions_this_month(),
          value: overview ? wholeText(overview.activeSessions.now) : missing,
          note: overview && (
            <>
              {changeText(overview.activeSessions)}
              <span className="block">{m.analytics_sessions_this_month_note()}</span>
            </>
          ),
          icon: <CalendarCheck />,
          hue: 'dusk',
        },
        {
          label: m.analytics_utilisation(),
          value: report && percentText(report.utilisation.percent),
          note: report && utilisationText(report.utilisation),
          icon: <Gauge />,
          hue: 'leaf',
        },
      ]}
    />
  );
}

function utilisationText({ bookedMinutes, offeredMinutes }: ReportView['utilisation']): string {
  if (offeredMinutes === 0) return m.analytics_utilisation_none();
  const hours = (minutes: number) => wholeText(Math.round(minutes / 60));
  return m.analytics_utilisation_note({ booked: hours(bookedMinutes), offered: hours(offeredMinutes) });
}

function Tiles({ overview, report, failed }: Known & { report: ReportView }) {
  const { ratings, sessions, sessionMinutes } = report;
  return (
    <Figures
      label={m.analytics_figures()}
      figures={[
        {
          label: m.analytics_active_providers(),
          value: overview ? wholeText(overview.activeProviders.now) : failed ? m.analytics_none() : undefined,
          note: m.analytics_active_providers_note(),
          icon: <Stethoscope />,
          hue: 'leaf',
        },
        {
          label: m.analytics_rating_mean(),
          value: ratingText(ratings.mean),
          note: counted(ratings.count, {
            none: m.analytics_rating_note_none,
            some: m.analytics_rating_note,
          }),
          icon: <Star />,
          hue: 'wheat',
        },
        {
          label: m.analytics_duration(),
          value:
            sessionMinutes === null ? m.analytics_none() : m.web_minutes_short({ minutes: sessionMinutes }),
          note: counted(sessions, {
            none: m.analytics_duration_note_none,
            some: m.analytics_duration_note,
          }),
          icon: <Clock />,
          hue: 'plum',
        },
        {
          label: m.analytics_satisfaction(),
          value: percentText(ratings.satisfied),
          note: m.analytics_satisfaction_note(),
          icon: <Smile />,
          hue: 'rose',
        },
      ]}
    />
  );
}

function counted(
  count: number,
  { none, some }: { none: () => string; some: (of: { count: string }) => string },
): string {
  return count === 0 ? none() : some({ count: wholeText(count) });
}

function RefreshButton() {
  const queries = useQueryClient();
  const zone = useOwnZone();
  const [said, setSaid] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const refresh = async () => {
    setBusy(true);
    const began = Date.now();
    await queries.refetchQueries({ queryKey: api.analytics.key(), type: 'active' });
    const states = queries.getQueryCache().findAll({ queryKey: api.analytics.key(), type: 'active' });
    const failed = states.some(({ state }) => state.status === 'error' || state.errorUpdatedAt >= began);
    const time = formatInstant(began, zone, { timeStyle: 'medium' });
    setSaid(failed ? m.analytics_refresh_failed() : m.analytics_refreshed({ time }));
    setBusy(false);
  };
  return (
    <div className="grid">
      <Button
        variant="secondary"
        size="sm"
        busy={busy}
        busyLabel={m.analytics_refresh_busy()}
        onClick={() => void refresh()}
      >
        <RefreshCw />
        {m.analytics_refresh()}
      </Button>
      <p role="status" className="text-sm text-quiet empty:hidden">
        {said}
      </p>
    </div>
  );
}
