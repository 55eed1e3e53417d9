import { useQuery } from '@tanstack/react-query';
import { BookOpen, CalendarCheck, Footprints, Sprout } from 'lucide-react';
import { useGrowth } from '#/features/growth/ui/growth-acts.ts';
import { PanelHeading } from '#/features/growth/ui/panel-heading.tsx';
import { ProgressPicture } from '#/features/growth/ui/progress-picture.tsx';
import { ReportButton } from '#/features/growth/ui/report-button.tsx';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { zoneText } from '#/web/times.ts';
import { Figures } from '../dashboards/figures.tsx';

export function Progress() {
  const growth = useGrowth();
  const query = useQuery(growth.progress.mine.queryOptions());
  const known = query.data;
  return (
    <section aria-labelledby="progress">
      <PanelHeading id="progress" title={m.growth_progress_heading()} action={<ReportButton />}>
        {m.growth_progress_what_counts()}
      </PanelHeading>
      <div>
        <Figures
          figures={[
            {
              label: m.growth_progress_sessions(),
              value: known?.sessionsCompleted,
              icon: <CalendarCheck />,
              hue: 'sea',
            },
            {
              label: m.growth_progress_days(),
              value: known?.daysActive,
              icon: <Footprints />,
              hue: 'leaf',
            },
            {
              label: m.growth_progress_resources(),
              value: known?.resourcesUsed,
              icon: <BookOpen />,
              hue: 'wheat',
            },
            {
              label: m.growth_progress_goals(),
              value: known?.goalsAchieved,
              icon: <Sprout />,
              hue: 'plum',
            },
          ]}
        />
      </div>
      <div className="mt-6">
        <Fetched query={query}>
          {({ months, timeZone, daysActive }) => (
            <Card as="section" aria-labelledby="over-time">
              <h3 id="over-time" className="mb-5 text-xl">
                {m.growth_progress_over_time()}
              </h3>
              {daysActive === 0 ? (
                <p className="text-quiet">{m.growth_progress_empty()}</p>
              ) : (
                <ProgressPicture months={months} />
              )}
              <p className="mt-5 text-sm text-quiet">
                {m.growth_progress_zone({ zone: zoneText(timeZone) })}
              </p>
            </Card>
          )}
        </Fetched>
      </div>
    </section>
  );
}
