import { useRef, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { DatePicker } from '#/web/components/date-picker.tsx';
import { LoadFailed } from '#/web/components/fetched.tsx';
import { FieldError } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import type { FreeTimesChoice } from './free-times-choice.ts';
import { clocksDiffer, monthAfter, monthText, plainDateText, timeChoices, zoneText } from '#/web/times.ts';

export function FreeTimes({
  times,
  providerName,
  durationMinutes,
  dateError,
  timeError,
}: {
  times: FreeTimesChoice;
  providerName: string;
  durationMinutes: number;
  dateError?: ReactNode;
  timeError?: ReactNode;
}) {
  const { date, month, ofMonth, days } = times;
  const timesRef = useRef<HTMLDivElement>(null);
  const chooseDate = (next: string) => {
    times.chooseDate(next);
    // On phones the times are below the fold.
    requestAnimationFrame(() => timesRef.current?.scrollIntoView({ block: 'nearest', behavior: smoothly() }));
  };
  const empty = ofMonth.isSuccess && ![...days.keys()].some((day) => day.startsWith(month));
  return (
    <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
      <div data-problem={dateError ? '' : undefined}>
        <DatePicker
          label={m.web_date()}
          value={date}
          onChange={chooseDate}
          month={month}
          onMonthChange={times.turnTo}
          firstMonth={times.firstMonth}
          lastMonth={times.lastMonth}
          today={times.today}
          disabled={(day) => day < times.today || !days.has(day)}
          busy={!ofMonth.isSuccess}
        />
        {dateError && <FieldError id="booking-date-error">{dateError}</FieldError>}
        {ofMonth.isPending && (
          <Loading label={m.booking_times_loading()}>
            <p aria-hidden className="mt-2 text-center text-sm text-quiet">
              {m.booking_times_loading()}
            </p>
          </Loading>
        )}
        {empty && (
          <div role="status" className="mt-2 flex flex-wrap items-center justify-center gap-x-2 text-center">
            <span className="text-quiet">{m.booking_month_empty({ month: monthText(month) })}</span>
            {month < times.lastMonth && (
              <Button variant="quiet" size="sm" onClick={() => times.turnTo(monthAfter(month))}>
                {m.booking_month_next({ month: monthText(monthAfter(month)) })}
              </Button>
            )}
          </div>
        )}
      </div>
      <div ref={timesRef} data-problem={timeError ? '' : undefined} className="min-w-0 scroll-my-4">
        {ofMonth.isError ? (
          <LoadFailed title={m.booking_times_failed()} query={ofMonth} kept />
        ) : (
          <TimesOfDate
            times={times}
            providerName={providerName}
            durationMinutes={durationMinutes}
            error={timeError}
          />
        )}
      </div>
    </div>
  );
}

function TimesOfDate({
  times,
  providerName,
  durationMinutes,
  error,
}: {
  times: FreeTimesChoice;
  providerName: string;
  durationMinutes: number;
  error?: ReactNode;
}) {
  const { date, starts, zone, providerZone } = times;
  if (!date)
    return <p className="rounded-control bg-sunken px-4 py-3 text-quiet">{m.booking_time_after_date()}</p>;
  if (!starts) {
    return (
      <Loading label={m.booking_times_loading()}>
        <p className="mb-1.5 font-semibold">{m.booking_time()}</p>
        <div className="grid grid-cols-3 gap-2">
          {Array.from({ length: 9 }, (_, index) => (
            <Skeleton key={index} className="h-11" />
          ))}
        </div>
      </Loading>
    );
  }
  const differs = starts.some((start) => providerZone && clocksDiffer(start, zone, providerZone));
  const lostText = times.lost && timeChoices([times.lost], zone)[0]?.label;
  return (
    <>
      <p role="status" className="sr-only">
        {m.booking_times_count({ count: starts.length, date: plainDateText(date) })}
      </p>
      {lostText && (
        <Notice className="mb-3">{m.booking_time_lost({ time: lostText, minutes: durationMinutes })}</Notice>
      )}
      {starts.length === 0 ? (
        <p className="rounded-control bg-sunken px-4 py-3">
          {m.booking_day_empty({ date: plainDateText(date), minutes: durationMinutes })}
        </p>
      ) : (
        <ChoiceGroup
          layout="chips"
          legend={
            <>
              {m.booking_time()} <span className="font-normal text-quiet">{plainDateText(date)}</span>
            </>
          }
          hint={
            differs && providerZone
              ? m.booking_zones_differ({
                  zone: zoneText(zone),
                  name: providerName,
                  theirs: zoneText(providerZone),
                })
              : m.booking_zone({ zone: zoneText(zone) })
          }
          error={error}
          choices={timeChoices(starts, zone).map(({ instant, label }) => ({ value: instant, label }))}
          value={times.start}
          onChange={times.chooseStart}
        />
      )}
    </>
  );
}

function smoothly(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
}
