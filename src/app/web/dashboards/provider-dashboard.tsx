import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import { useQuery } from '@tanstack/react-query';
import { CalendarCheck, CalendarDays, ChevronLeft, ChevronRight, Hourglass, Star } from 'lucide-react';
import { useId, useRef, useState, type Ref } from 'react';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import type { AppointmentView, bookingContract } from '#/features/booking/contract.ts';
import { plainDateText, timeText, wallClock, zoneText } from '#/features/booking/ui/times.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { AppointmentList, AppointmentListSkeleton, PastList } from './appointment-list.tsx';
import { useBookingNews } from './booking-news.ts';
import { DashboardFrame, DashboardHeading } from './dashboard-frame.tsx';
import { Fetched } from './fetched.tsx';
import { Figures } from './figures.tsx';
import { live } from './live.ts';
import { useNow } from './now.ts';

const day = 86_400_000;
const year = 366 * day;
/** How far back sessions are looked for whose outcome wasn't noted. */
const unfinishedReach = 90 * day;
/** How many days are listed at first, and how many more with each press. */
const daysShown = 5;
/** The furthest that a wall clock is from UTC, rounded up, in milliseconds. */
const furthestOffset = 15 * 3_600_000;

type Api = { booking: typeof bookingContract };

/** What a doctor or pastor finds on `/home`: who waits for an answer, their day, and what comes after it. */
export function ProviderDashboard({ viewer }: { viewer: Viewer }) {
  const api = useApi<Api>();
  const now = useNow();
  const news = useBookingNews();
  const figures = useQuery({ ...api.booking.providerFigures.queryOptions(), ...live });
  const timeZone = figures.data?.timeZone;
  const skeleton = <AppointmentListSkeleton count={3} />;

  return (
    <DashboardFrame news={news}>
      <DashboardHeading title={m.home_welcome({ name: viewer.fullName })}>
        {now !== null &&
          timeZone &&
          `${plainDateText(dateOf(now, timeZone))}. ${m.home_own_zone({ zone: zoneText(timeZone) })}`}
      </DashboardHeading>
      <div className="mt-8">
        <ProviderFigures figures={figures.data} />
      </div>
      <div className="mt-10">
        <PermissionGate role={viewer.role} capability="manage_own_appointments">
          <Fetched query={figures} skeleton={skeleton}>
            {(known) =>
              now === null ? <Loading>{skeleton}</Loading> : <Diary now={now} timeZone={known.timeZone} />
            }
          </Fetched>
        </PermissionGate>
      </div>
    </DashboardFrame>
  );
}

type KnownFigures = InferContractRouterOutputs<typeof bookingContract>['providerFigures'];

function ProviderFigures({ figures }: { figures: KnownFigures | undefined }) {
  const reviews = figures?.reviewCount ?? 0;
  return (
    <Figures
      figures={[
        { label: m.home_todays_appointments(), value: figures?.today, icon: <CalendarDays />, hue: 'sea' },
        { label: m.home_this_month(), value: figures?.thisMonth, icon: <CalendarCheck />, hue: 'leaf' },
        {
          label: m.home_rating(),
          value: figures && (figures.rating === null ? m.home_rating_none() : figures.rating.toFixed(1)),
          note: figures && reviewsText(reviews),
          icon: <Star />,
          hue: 'wheat',
        },
        ...(figures && figures.pending > 0
          ? [
              {
                label: m.home_to_confirm(),
                value: figures.pending,
                icon: <Hourglass />,
                hue: 'dusk' as const,
              },
            ]
          : []),
      ]}
    />
  );
}

function reviewsText(count: number): string {
  if (count === 0) return m.home_no_reviews();
  return count === 1 ? m.home_reviews_one() : m.home_reviews({ count });
}

/** The provider's appointments; days are those of their own zone. */
function Diary({ now, timeZone }: { now: number; timeZone: string }) {
  // Spans begin where the page was opened and stay, so that their answers do.
  const [opened] = useState(now);
  const [chosen, setChosen] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const today = dateOf(now, timeZone);
  return (
    <div className="grid items-start gap-x-8 gap-y-10 lg:grid-cols-[1fr_20rem]">
      <div className="grid min-w-0 gap-10">
        <Held
          title={m.home_waiting()}
          text={m.home_waiting_text()}
          timeZone={timeZone}
          span={{ status: 'pending', from: iso(opened), to: iso(opened + year), limit: 200 }}
        />
        <Schedule
          date={chosen ?? today}
          today={today}
          timeZone={timeZone}
          heading={heading}
          onDate={setChosen}
        />
        <Held
          title={m.home_unfinished()}
          text={m.home_unfinished_text()}
          timeZone={timeZone}
          span={{
            status: 'confirmed',
            from: iso(opened - unfinishedReach),
            to: iso(opened),
            order: 'descending',
            limit: 100,
          }}
          // Today's are marked where they stand.
          only={({ endsAt }) => Date.parse(endsAt) <= now && wallClock(endsAt, timeZone).date < today}
        />
      </div>
      <ComingUp
        from={opened}
        today={today}
        timeZone={timeZone}
        onDate={(date) => {
          setChosen(date);
          heading.current?.focus();
        }}
      />
    </div>
  );
}

type Span = InferContractRouterInputs<typeof bookingContract>['mine'];

/** Appointments that wait for something to be done; nothing at all while there are none. */
function Held({
  title,
  text,
  timeZone,
  span,
  only = () => true,
}: {
  title: string;
  text: string;
  timeZone: string;
  span: Span;
  only?: (appointment: AppointmentView) => boolean;
}) {
  const api = useApi<Api>();
  const id = useId();
  const query = useQuery({ ...api.booking.mine.queryOptions({ input: span }), ...live });
  const appointments = query.data?.filter(only) ?? [];
  if (appointments.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} className="rounded-control text-xl">
        {title}
      </h2>
      <p className="mt-0.5 mb-4 text-quiet">{text}</p>
      <AppointmentList appointments={appointments} timeZone={timeZone} />
    </section>
  );
}

/** One day's appointments in their order, today's at first, and the way to the days around it. */
function Schedule({
  date,
  today,
  timeZone,
  heading,
  onDate,
}: {
  date: string;
  today: string;
  timeZone: string;
  heading: Ref<HTMLHeadingElement>;
  onDate: (date: string | null) => void;
}) {
  const api = useApi<Api>();
  const isToday = date === today;
  const midnight = Date.parse(`${date}T00:00Z`);
  const query = useQuery({
    ...api.booking.mine.queryOptions({
      input: { from: iso(midnight - furthestOffset), to: iso(midnight + day + furthestOffset), limit: 200 },
    }),
    ...live,
  });
  return (
    <section aria-labelledby="schedule">
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div aria-live="polite" className={classes('min-w-0 flex-1', !isToday && 'max-sm:basis-full')}>
          <h2 id="schedule" ref={heading} tabIndex={-1} className="rounded-control text-xl">
            {isToday ? m.home_todays_schedule() : m.home_schedule_of({ date: plainDateText(date) })}
          </h2>
        </div>
        <div
          role="group"
          aria-label={m.home_day_nav()}
          className={classes(
            'flex items-center gap-1.5 sm:-my-1.75',
            !isToday && 'max-sm:w-full max-sm:justify-end',
          )}
        >
          {!isToday && (
            <Button variant="quiet" size="sm" onClick={() => onDate(null)}>
              {m.home_back_to_today()}
            </Button>
          )}
          <Button
            variant="secondary"
            size="icon"
            aria-label={m.home_previous_day()}
            onClick={() => onDate(dateAfter(date, -1, today))}
          >
            <ChevronLeft />
          </Button>
          <Button
            variant="secondary"
            size="icon"
            aria-label={m.home_next_day()}
            onClick={() => onDate(dateAfter(date, 1, today))}
          >
            <ChevronRight />
          </Button>
        </div>
      </div>
      <Fetched key={date} query={query} skeleton={<AppointmentListSkeleton count={3} />}>
        {(appointments) => {
          const ofDay = appointments.filter(({ startsAt }) => wallClock(startsAt, timeZone).date === date);
          const cancelled = ofDay.filter(({ status }) => status === 'cancelled');
          const others = ofDay.filter(({ status }) => status !== 'cancelled');
          return (
            <>
              {others.length > 0 ? (
                <AppointmentList appointments={others} timeZone={timeZone} all />
              ) : (
                <Card>
                  <EmptyState
                    illustration={<WindowIllustration />}
                    title={isToday ? m.home_day_empty_today() : m.home_day_empty()}
                  >
                    {m.home_day_empty_text()}
                  </EmptyState>
                </Card>
              )}
              {cancelled.length > 0 && (
                <details className="mt-4">
                  <summary className="inline-flex min-h-11 items-center rounded-control px-2 font-semibold text-quiet hover:text-ink">
                    {m.home_day_cancelled({ count: cancelled.length })}
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

/** The next appointments after today by their days; each day leads to its schedule. */
function ComingUp({
  from,
  today,
  timeZone,
  onDate,
}: {
  from: number;
  today: string;
  timeZone: string;
  onDate: (date: string) => void;
}) {
  const api = useApi<Api>();
  const [days, setDays] = useState(daysShown);
  const query = useQuery({
    ...api.booking.mine.queryOptions({ input: { from: iso(from), to: iso(from + year), limit: 100 } }),
    ...live,
  });
  return (
    <section aria-labelledby="coming-up">
      <h2 id="coming-up" className="mb-4 text-xl">
        {m.home_coming_up()}
      </h2>
      <Card className="px-2! py-2!">
        <Fetched query={query} skeleton={<Skeleton className="m-3 h-24" />}>
          {(appointments) => {
            const coming = daysOf(appointments, timeZone).filter(([date]) => date > today);
            if (coming.length === 0) return <p className="p-3 text-quiet">{m.home_coming_up_empty()}</p>;
            return (
              <>
                <ul>
                  {coming.slice(0, days).map(([date, sessions]) => (
                    <li key={date}>
                      <button
                        type="button"
                        onClick={() => onDate(date)}
                        className="flex w-full items-start gap-3 rounded-control px-3 py-2.5 text-left hover:bg-sunken"
                      >
                        <span className="min-w-0 flex-1">
                          <span className="block font-semibold">{plainDateText(date)}</span>
                          {sessions.map((one) => (
                            <span key={one.id} className="flex gap-2.5 text-sm text-quiet">
                              <span className="shrink-0 tabular-nums">
                                {timeText(one.startsAt, timeZone)}
                              </span>
                              <span className="truncate">{one.client?.name}</span>
                            </span>
                          ))}
                        </span>
                        <ChevronRight className="mt-1 size-4.5 shrink-0 text-quiet" />
                      </button>
                    </li>
                  ))}
                </ul>
                {coming.length > days && (
                  <Button variant="quiet" size="sm" onClick={() => setDays(days + daysShown)}>
                    {m.home_show_more()}
                  </Button>
                )}
              </>
            );
          }}
        </Fetched>
      </Card>
    </section>
  );
}

/** The appointments that hold their time, by the dates of a zone, in their order. */
function daysOf(appointments: readonly AppointmentView[], timeZone: string): [string, AppointmentView[]][] {
  const days = new Map<string, AppointmentView[]>();
  for (const one of appointments) {
    if (one.status !== 'pending' && one.status !== 'confirmed') continue;
    const { date } = wallClock(one.startsAt, timeZone);
    days.set(date, [...(days.get(date) ?? []), one]);
  }
  return [...days];
}

function dateOf(instant: number, timeZone: string): string {
  return wallClock(iso(instant), timeZone).date;
}

/** The date so many days after another; null, which follows the clock, for today. */
function dateAfter(date: string, days: number, today: string): string | null {
  const found = iso(Date.parse(`${date}T00:00Z`) + days * day).slice(0, 10);
  return found === today ? null : found;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
