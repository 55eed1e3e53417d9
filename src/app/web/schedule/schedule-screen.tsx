import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useHydrated } from '#/web/hydrated.ts';
import type {
  AgendaBlock,
  AgendaDay,
  AgendaEntry,
  AgendaView,
} from '#/features/appointments/agenda/contract.ts';
import { monthWeeks, weekOf } from '#/features/appointments/agenda/rules.ts';
import { DayGrid } from '#/features/appointments/ui/calendar-days.tsx';
import { DayList, PrintedDay } from '#/features/appointments/ui/calendar-day-list.tsx';
import { Timeline, type CalendarActions } from '#/features/appointments/ui/calendar-timeline.tsx';
import type { DaySpan } from '#/web/day-spans.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { Fetched } from '#/web/components/fetched.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { fullPlainDateText } from '#/web/times.ts';
import { useBookingNews } from '../dashboards/booking-news.ts';
import { live } from '../dashboards/live.ts';
import { useNow } from '#/web/now.ts';
import { AppointmentDialog } from './appointment-dialog.tsx';
import { ApprovalLine } from './approval-line.tsx';
import { CalendarHead } from './calendar-head.tsx';
import { useNarrow } from '#/web/narrow.ts';
import { agendaInput, useCalendarPosition, type CalendarPosition } from './calendar-position.ts';
import { WaitingAnswers } from './waiting-answers.tsx';
import { refetchAppointments } from '#/features/appointments/ui/refetch-appointments.ts';

const BlockDialog = lazyPart(async () => {
  await bringClock();
  return (await import('./block-dialog.tsx')).BlockDialog;
});
const BookForDialog = lazyPart(async () => {
  await bringClock();
  return (await import('./book-for-dialog.tsx')).BookForDialog;
});

const MoveDialog = lazyPart(async () => {
  await bringClock();
  return (await import('./move-dialog.tsx')).MoveDialog;
});

/** These dialogs need Temporal. */
async function bringClock(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
}

export type OpenDialog =
  | { kind: 'session'; entry: AgendaEntry }
  | { kind: 'block'; block: AgendaBlock | null; span?: DaySpan }
  | { kind: 'move'; entry: AgendaEntry; to: DaySpan }
  | { kind: 'book'; start: number | null };

export function ScheduleScreen({
  opened,
  onOpened,
}: {
  opened: OpenDialog | null;
  onOpened: (opened: OpenDialog | null) => void;
}) {
  const queries = useQueryClient();
  const news = useBookingNews();
  const now = useNow();
  const narrow = useNarrow();
  const { place, go, step } = useCalendarPosition();
  const { view, date } = place;
  useRealtime(({ type }) => {
    if (type === 'availability.changed') void refetchAppointments(queries);
  });

  const { agenda, weekOfDay } = useAgendas(place, narrow);
  const today = agenda.data?.today ?? null;
  const chosen = date ?? today;
  const acts: CalendarActions = {
    onEntry: (entry) => onOpened({ kind: 'session', entry }),
    onBlock: (block) => onOpened({ kind: 'block', block }),
    onFree: (start) => onOpened({ kind: 'book', start }),
    onMove: (entry, to) => onOpened({ kind: 'move', entry, to }),
    onSpan: (span) => onOpened({ kind: 'block', block: null, span }),
  };
  const open = (next: string) => {
    if (narrow || view === 'day') step(next);
    else go({ view: 'day', date: next });
  };
  const skeleton = <Skeleton className="h-120" />;
  return (
    <>
      <div className="grid gap-8">
        <WaitingAnswers />
        <section aria-labelledby="calendar" className="min-w-0">
          {chosen === null ? (
            <Fetched query={agenda} failure={m.schedule_load_failed()} skeleton={skeleton}>
              {() => null}
            </Fetched>
          ) : (
            <>
              <CalendarHead
                view={view}
                date={chosen}
                today={today}
                timeZone={agenda.data?.timeZone}
                onGo={go}
              />
              <p id="schedule-keys" hidden>
                {m.schedule_keys()}
              </p>
              <Card className="mt-4 max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0 max-sm:px-3! sm:p-4! print:border-0 print:p-0!">
                <div className={classes('print:hidden', view === 'week' && 'lg:pl-18')}>
                  <DayGrid
                    weeks={view === 'month' ? monthWeeks(chosen) : [weekOf(chosen)]}
                    {...(view === 'month' ? { month: chosen.slice(0, 7) } : {})}
                    chosen={chosen}
                    today={today}
                    view={agenda.data}
                    label={m.schedule_days()}
                    onMove={step}
                    onOpen={open}
                  />
                </div>
                <Fetched query={agenda} failure={m.schedule_load_failed()} skeleton={skeleton}>
                  {(known) =>
                    view === 'month' ? (
                      narrow && <DayBelow date={chosen} view={weekOfDay.data} now={now} acts={acts} />
                    ) : (
                      <Days
                        dates={view === 'week' ? weekOf(chosen) : [chosen]}
                        chosen={chosen}
                        view={known}
                        now={now}
                        narrow={narrow}
                        acts={acts}
                      />
                    )
                  }
                </Fetched>
              </Card>
            </>
          )}
        </section>
        <div className="grid gap-1">
          {!narrow && view !== 'month' && (
            <p className="hidden text-quiet pointer-fine:block print:hidden">{m.schedule_drag_hint()}</p>
          )}
          <ApprovalLine />
        </div>
      </div>
      <p role="status" className="sr-only">
        {news}
      </p>
      <OpenedDialog
        opened={opened}
        timeZone={agenda.data?.timeZone}
        date={chosen}
        onClose={() => onOpened(null)}
      />
    </>
  );
}

/** Loads the shown week or month. On phones, a month also needs its chosen day's week. */
function useAgendas({ view, date }: CalendarPosition, narrow: boolean) {
  const span = view === 'month' ? ('month' as const) : ('week' as const);
  const agenda = useQuery({
    ...api.appointments.agenda.queryOptions({ input: agendaInput(span, date) }),
    ...live,
    placeholderData: keepPreviousData,
  });
  // Phones list the full day below truncated month cells.
  const weekOfDay = useQuery({
    ...api.appointments.agenda.queryOptions({ input: agendaInput('week', date) }),
    ...live,
    enabled: view === 'month' && narrow,
    placeholderData: keepPreviousData,
  });
  return { agenda, weekOfDay };
}

function Days({
  dates,
  chosen,
  view,
  now,
  narrow,
  acts,
}: {
  dates: readonly string[];
  chosen: string;
  view: AgendaView;
  now: number | null;
  narrow: boolean;
  acts: CalendarActions;
}) {
  const hydrated = useHydrated();
  const days = dates.flatMap((date) => view.days.find((day) => day.date === date) ?? []);
  if (days.length < dates.length) return <Waiting />;
  const day = days.find(({ date }) => date === chosen)!;
  return (
    <>
      <div className="mt-3 print:hidden">
        {!hydrated ? (
          // Hour positions are inline styles, which the content security policy allows only from scripts.
          <Skeleton className="h-120" />
        ) : narrow ? (
          dates.length > 1 ? (
            <NamedDay day={day} view={view} now={now} acts={acts} />
          ) : (
            <DayList day={day} view={view} now={now} acts={acts} />
          )
        ) : (
          <Timeline days={days} view={view} now={now} acts={acts} />
        )}
      </div>
      <PrintedDay day={day} view={view} />
    </>
  );
}

function DayBelow({
  date,
  view,
  now,
  acts,
}: {
  date: string;
  view: AgendaView | undefined;
  now: number | null;
  acts: CalendarActions;
}) {
  const day = view?.days.find((one) => one.date === date);
  if (!view || !day) return <Waiting />;
  return (
    <div className="mt-3">
      <NamedDay day={day} view={view} now={now} acts={acts} />
    </div>
  );
}

function NamedDay(props: { day: AgendaDay; view: AgendaView; now: number | null; acts: CalendarActions }) {
  return (
    <>
      <h3 className="mb-1 text-lg">{fullPlainDateText(props.day.date)}</h3>
      <DayList {...props} />
    </>
  );
}

function Waiting() {
  return (
    <Loading className="mt-3">
      <Skeleton className="h-80" />
    </Loading>
  );
}

/** Milliseconds until a closing dialog has restored focus. */
const afterClosing = 50;

/** Keeps content during the closing animation. */
function OpenedDialog({
  opened,
  timeZone,
  date,
  onClose,
}: {
  opened: OpenDialog | null;
  timeZone: string | undefined;
  date: string | null;
  onClose: () => void;
}) {
  const [last, setLast] = useState<{ opened: OpenDialog; number: number } | null>(null);
  if (opened && last?.opened !== opened) setLast({ opened, number: (last?.number ?? 0) + 1 });
  const closed = last !== null && opened === null;
  useEffect(() => {
    if (!closed) return;
    // The focused calendar item may no longer exist, so focus can't return to it.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body)
        document.getElementById('calendar')?.focus({ preventScroll: true });
    }, afterClosing);
    return () => clearTimeout(timer);
  }, [closed]);
  if (!last || !timeZone || !date) return null;
  const shared = {
    open: opened !== null,
    onOpenChange: (next: boolean) => {
      if (!next) onClose();
    },
    timeZone,
  };
  const { number, opened: shown } = last;
  return (
    <>
      {shown.kind === 'session' && <AppointmentDialog key={number} entry={shown.entry} {...shared} />}
      {shown.kind === 'block' && (
        <BlockDialog key={number} block={shown.block} span={shown.span} date={date} {...shared} />
      )}
      {shown.kind === 'move' && <MoveDialog key={number} entry={shown.entry} to={shown.to} {...shared} />}
      {shown.kind === 'book' && <BookForDialog key={number} start={shown.start} date={date} {...shared} />}
    </>
  );
}
