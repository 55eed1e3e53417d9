import { useQuery } from '@tanstack/react-query';
import { CalendarCheck, CalendarX2, Hourglass, Star } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { hoursText, ratingText } from '#/features/analytics/ui/figure-texts.ts';
import { OwnCharts } from '#/features/analytics/ui/own-charts.tsx';
import { zoneText } from '#/web/times.ts';
import { api } from '#/web/api.tsx';
import { Section } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { pageRequest } from '../contexts.ts';
import { prefetchFor } from '../prefetch.ts';
import { unlisted } from '../page-meta.ts';
import { ProviderPage } from '../provider-page.tsx';
import type { Route } from './+types/insights.ts';
import { Figures } from '../dashboards/figures.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const found = await prefetchFor(context.get(pageRequest), (queries, { analytics }) => [
    queries.query(analytics.own.queryOptions()),
  ]);
  return { known: found?.known ?? null };
}

export const meta = unlisted(m.analytics_own_title);

export default function Insights({ loaderData }: Route.ComponentProps) {
  return (
    <ProviderPage
      title={m.analytics_own_title()}
      intro={m.analytics_own_intro()}
      capability="view_own_analytics"
      known={loaderData.known}
    >
      <OwnFigures />
    </ProviderPage>
  );
}

function OwnFigures() {
  const query = useQuery(api.analytics.own.queryOptions());
  const total = query.data?.total;
  return (
    <>
      <Figures
        figures={[
          { label: m.analytics_sessions(), value: total?.sessions, icon: <CalendarCheck />, hue: 'sea' },
          {
            label: m.analytics_hours(),
            value: total && hoursText(total.hours),
            icon: <Hourglass />,
            hue: 'leaf',
          },
          {
            label: m.analytics_no_shows(),
            value: total?.noShows,
            note: total && shareText(total.noShows, total.sessions + total.noShows),
            icon: <CalendarX2 />,
            hue: 'plum',
          },
          {
            label: m.analytics_rating(),
            value: total && ratingText(total.rating),
            note: total && m.analytics_reviews_count({ count: total.reviews }),
            icon: <Star />,
            hue: 'wheat',
          },
        ]}
      />
      <div className="mt-6">
        <Fetched query={query}>
          {({ months, timeZone, total: all }) => (
            <Section card titleId="over-time" title={m.analytics_over_time()} titleClassName="mb-5 text-xl">
              {all.sessions + all.noShows + all.cancelled + all.reviews === 0 ? (
                <p className="text-quiet">{m.analytics_own_empty()}</p>
              ) : (
                <OwnCharts months={months} />
              )}
              <p className="mt-5 text-sm text-quiet">{m.analytics_own_zone({ zone: zoneText(timeZone) })}</p>
            </Section>
          )}
        </Fetched>
      </div>
    </>
  );
}

/** Percentage of scheduled sessions missed by clients. */
function shareText(part: number, whole: number): string | undefined {
  return whole === 0 ? undefined : m.analytics_share({ percent: Math.round((100 * part) / whole) });
}
