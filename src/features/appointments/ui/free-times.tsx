import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { DatePicker } from '#/web/components/date-picker.tsx';
import { FieldError } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import type { SessionType } from '#/features/providers/contract.ts';
import type { FreeStarts } from '../appointment/contract.ts';
import { furthestAhead } from '../diary/rules.ts';
import type { SeriesScope } from '../series/contract.ts';
import {
  byDate,
  clocksDiffer,
  monthAfter,
  monthText,
  plainDateText,
  spanOfMonth,
  timeChoices,
  wallClock,
  zoneText,
} from '#/web/times.ts';

/** Months searched for a first free time. */
const monthsLookedThrough = 3;

/** Dates and months are in `zone`. */
export interface FreeTimesChoice {
  zone: string;
  /** The specialist's time zone; undefined while loading. */
  providerZone: string | undefined;
  month: string;
  firstMonth: string;
  lastMonth: string;
  today: string;
  turnTo: (month: string) => void;
  days: ReadonlyMap<string, readonly string[]>;
  ofMonth: UseQueryResult<FreeStarts, unknown>;
  date: string | null;
  chooseDate: (date: string) => void;
  /** Free times of the selected date; null while loading. */
  starts: readonly string[] | null;
  /** The selected time, while it's still free. */
  start: string | null;
  chooseStart: (start: string) => void;
  /** Location of the in-person session, if any. */
  place: FreeStarts['places'][number] | null;
  /** A selected time that's no longer free at this length. */
  lost: string | null;
}

/** Loads free times; keeps the selection when the length changes. */
export function useFreeTimes({
  providerId,
  durationMinutes,
  sessionType,
  zone,
  moving,
  scope,
  forBoth,
  startsAt,
  onDate,
}: {
  /** No request is made while undefined. */
  providerId: string | undefined;
  durationMinutes: number;
  /** Without a type, shows times that need no location. */
  sessionType?: SessionType | null;
  zone: string;
  /** Appointment being rescheduled: its current time counts as free. */
  moving?: string;
  /** The rest of the series moves too, so its times count as free. */
  scope?: SeriesScope | undefined;
  /** An administrator may waive the lead time. */
  forBoth?: { notice: 'kept' | 'waived' };
  startsAt?: string | undefined;
  /** Initial date without a selected time; ignored if past. */
  onDate?: string;
}): FreeTimesChoice {
  const api = useApi();
  const [now] = useState(() => Date.now());
  const today = wallClock(new Date(now).toISOString(), zone).date;
  const firstMonth = today.slice(0, 7);
  const lastMonth = wallClock(new Date(now + furthestAhead).toISOString(), zone).date.slice(0, 7);

  const named = onDate !== undefined && onDate > today && onDate.slice(0, 7) <= lastMonth ? onDate : null;
  const begun = startsAt === undefined ? named : wallClock(startsAt, zone).date;
  const [turned, setTurned] = useState(begun !== null);
  const [month, setMonth] = useState(begun?.slice(0, 7) ?? firstMonth);
  const [date, setDate] = useState<string | null>(begun);
  const [chosen, setChosen] = useState<string | null>(startsAt ?? null);

  const startsIn = (span: { from: string; to: string }) =>
    forBoth
      ? api.appointments.administration.freeStarts.queryOptions({
          input: { appointmentId: moving ?? '', ...forBoth, ...span },
        })
      : api.appointments.freeStarts.queryOptions({
          input: {
            providerId: providerId ?? '',
            durationMinutes,
            moving,
            ...(scope ? { scope } : {}),
            ...(sessionType ? { sessionType } : {}),
            ...span,
          },
        });
  const query = (wanted: string | undefined) => {
    const options = startsIn(spanOfMonth(wanted ?? month));
    return {
      ...options,
      enabled: providerId !== undefined && wanted !== undefined,
      networkMode: 'always' as const,
      // Keeps the list while the length or type changes, so that the controls below stay in place.
      placeholderData: (previous: FreeStarts | undefined, before?: { queryKey: readonly unknown[] }) =>
        before && areOfSameMonth(before.queryKey, options.queryKey) ? previous : undefined,
    };
  };
  const ofMonth = useQuery(query(month));
  const ofDate = useQuery(query(date?.slice(0, 7)));

  const days = useMemo(() => byDate(ofMonth.data?.starts ?? [], zone), [ofMonth.data, zone]);
  const starts = useMemo(
    () => (date && ofDate.data ? (byDate(ofDate.data.starts, zone).get(date) ?? []) : null),
    [date, ofDate.data, zone],
  );

  const empty =
    ofMonth.isSuccess && !ofMonth.isPlaceholderData && ![...days.keys()].some((day) => day.startsWith(month));
  if (!turned && empty && month < monthAfter(firstMonth, monthsLookedThrough - 1))
    setMonth(monthAfter(month));

  const known = starts !== null && !ofDate.isPlaceholderData;
  const gone = chosen !== null && known && !starts.includes(chosen);
  return {
    zone,
    providerZone: ofMonth.data?.timeZone,
    month,
    firstMonth,
    lastMonth,
    today,
    turnTo(next) {
      setTurned(true);
      setMonth(next);
    },
    days,
    ofMonth,
    date,
    chooseDate(next) {
      if (next !== date) setChosen(null);
      setDate(next);
    },
    starts,
    start: gone ? null : chosen,
    chooseStart(next) {
      const itsDate = wallClock(next, zone).date;
      setTurned(true);
      setMonth(itsDate.slice(0, 7));
      setDate(itsDate);
      setChosen(next);
    },
    place:
      (!gone &&
        !ofDate.isPlaceholderData &&
        ofDate.data?.places.find((one) => chosen !== null && one.starts.includes(chosen))) ||
      null,
    lost: gone ? chosen : null,
  };
}

type KeyWithInput = readonly [unknown, { input?: { providerId?: string; from: string } }?];

/** Compares keys of free times by specialist and month. */
function areOfSameMonth(one: readonly unknown[], other: readonly unknown[]): boolean {
  const [, { input: before } = {}] = one as KeyWithInput;
  const [, { input: after } = {}] = other as KeyWithInput;
  return before?.providerId === after?.providerId && before?.from === after?.from;
}

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
  const timesPlace = useRef<HTMLDivElement>(null);
  const chooseDate = (next: string) => {
    times.chooseDate(next);
    // On phones the times are below the fold.
    requestAnimationFrame(() =>
      timesPlace.current?.scrollIntoView({ block: 'nearest', behavior: smoothly() }),
    );
  };
  const empty = ofMonth.isSuccess && ![...days.keys()].some((day) => day.startsWith(month));
  return (
    <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
      <div data-problem={dateError ? '' : undefined}>
        <DatePicker
          label={m.booking_date()}
          value={date}
          onChange={chooseDate}
          month={month}
          onMonthChange={times.turnTo}
          firstMonth={times.firstMonth}
          lastMonth={times.lastMonth}
          today={times.today}
          disabled={(day) => day < times.today || !days.has(day)}
          busy={!ofMonth.isSuccess}
          className="mx-auto"
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
      <div ref={timesPlace} data-problem={timeError ? '' : undefined} className="min-w-0 scroll-my-4">
        {ofMonth.isError ? (
          <Notice
            tone="destructive"
            title={m.booking_times_failed()}
            action={
              <Button
                variant="secondary"
                size="sm"
                busy={ofMonth.isFetching}
                onClick={() => void ofMonth.refetch()}
              >
                {m.booking_try_again()}
              </Button>
            }
          >
            {`${m.web_check_connection()} ${m.web_entries_kept()}`}
          </Notice>
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
