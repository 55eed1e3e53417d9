import { useMutation, useQuery } from '@tanstack/react-query';
import { BookOpen, CalendarCheck, Download, Footprints, Sprout } from 'lucide-react';
import { api } from '#/web/api.tsx';
import { PanelHeading } from '#/features/growth/ui/panel-heading.tsx';
import { ProgressPicture } from '#/features/growth/ui/progress-picture.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { toast } from '#/web/components/toast.tsx';
import { downloadFrom } from '#/web/download.ts';
import { zoneText } from '#/web/times.ts';
import { Figures } from '../dashboards/figures.tsx';
import { failureText } from '#/web/failures.ts';

export function Progress() {
  const query = useQuery(api.growth.progress.mine.queryOptions());
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

function ReportButton() {
  const save = useMutation({
    mutationFn: () => downloadFrom('/api/me/progress-report.pdf', `${m.growth_report_file()}.pdf`),
    onError: (error) => toast.failed(m.growth_progress_download_failed(), failureText(error)),
  });
  return (
    <Button
      variant="secondary"
      busy={save.isPending}
      busyLabel={m.growth_progress_downloading()}
      className="max-sm:w-full"
      onClick={() => save.mutate()}
    >
      <Download />
      {m.growth_progress_download()}
    </Button>
  );
}
