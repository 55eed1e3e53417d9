import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import type { Ref } from 'react';
import { dateIn, plainDateText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { Fetched } from '#/web/components/fetched.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { PastList } from './appointment-list.tsx';
import { dateAfter, daySpan } from './days.ts';
import { live } from './live.ts';
import { DayRows, DayRowsSkeleton } from './day-rows.tsx';

export function Schedule({
  date,
  today,
  timeZone,
  now,
  heading,
  onDate,
}: {
  date: string;
  today: string;
  timeZone: string;
  now: number;
  heading: Ref<HTMLHeadingElement>;
  onDate: (date: string | null) => void;
}) {
  const isToday = date === today;
  const query = useQuery({ ...api.appointments.mine.queryOptions({ input: daySpan(date) }), ...live });
  return (
    <section aria-labelledby="schedule">
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div
          aria-live="polite"
          className={classes('min-w-0 flex-1 basis-40', !isToday && 'max-sm:basis-full')}
        >
          <h2 id="schedule" ref={heading} tabIndex={-1} className="rounded-control text-xl">
            {isToday ? m.home_todays_schedule() : m.home_schedule_of({ date: plainDateText(date) })}
          </h2>
        </div>
        <div
          role="group"
          aria-label={m.home_day_nav()}
          className={classes(
            'flex flex-wrap items-center gap-1.5 sm:-my-1.75',
            !isToday && 'max-sm:w-full max-sm:justify-end',
          )}
        >
          <ButtonLink
            to={`/schedule?view=day&date=${date}`}
            variant="quiet"
            size="sm"
            className={isToday ? 'max-sm:hidden' : undefined}
          >
            {m.home_open_schedule()}
          </ButtonLink>
          {!isToday && (
            <Button variant="quiet" size="sm" onClick={() => onDate(null)}>
              {m.home_back_to_today()}
            </Button>
          )}
          <Button
            variant="secondary"
            size="icon"
            aria-label={m.web_previous_day()}
            onClick={() => onDate(dateAfter(date, -1, today))}
          >
            <ChevronLeft />
          </Button>
          <Button
            variant="secondary"
            size="icon"
            aria-label={m.web_next_day()}
            onClick={() => onDate(dateAfter(date, 1, today))}
          >
            <ChevronRight />
          </Button>
        </div>
      </div>
      <Fetched key={date} query={query} failure={m.home_load_failed()} skeleton={<DayRowsSkeleton />}>
        {(appointments) => {
          const ofDay = appointments.filter(({ startsAt }) => dateIn(startsAt, timeZone) === date);
          const cancelled = ofDay.filter(({ status }) => status === 'cancelled');
          const others = ofDay.filter(({ status }) => status !== 'cancelled');
          return (
            <>
              {others.length > 0 ? (
                <DayRows appointments={others} timeZone={timeZone} now={now} />
              ) : (
                <Card className="flex items-center gap-4">
                  <div className="w-24 shrink-0">
                    <WindowIllustration />
                  </div>
                  <h3 className="font-serif text-lg font-semibold">
                    {isToday ? m.home_day_empty_today() : m.home_day_empty()}
                  </h3>
                </Card>
              )}
              {cancelled.length > 0 && (
                <details className="group mt-2">
                  <summary className="inline-flex min-h-11 items-center gap-1 rounded-control font-semibold text-quiet hover:text-ink">
                    {m.home_day_cancelled({ count: cancelled.length })}
                    <ChevronDown aria-hidden className="size-5 group-open:rotate-180" />
                  </summary>
                  <div className="mt-2">
                    <PastList appointments={cancelled} timeZone={timeZone} />
                  </div>
                </details>
              )}
            </>
          );
        }}
      </Fetched>
    </section>
  );
}
