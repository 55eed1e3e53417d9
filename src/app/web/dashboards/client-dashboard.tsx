import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  BookOpen,
  CalendarCheck,
  CalendarDays,
  CalendarPlus,
  ChevronDown,
  Clock,
  HeartHandshake,
  Sprout,
  Sunrise,
  UserRound,
} from 'lucide-react';
import { useState } from 'react';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useSite } from '#/features/accounts/ui/session.tsx';
import type { AppointmentView, bookingContract } from '#/features/booking/contract.ts';
import { useBooking } from '#/features/booking/ui/booking-launcher.tsx';
import { deviceZone } from '#/features/booking/ui/times.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { AppointmentList, AppointmentListSkeleton, PastList } from './appointment-list.tsx';
import { useBookingNews } from './booking-news.ts';
import { DashboardFrame, DashboardHeading } from './dashboard-frame.tsx';
import { Fetched } from './fetched.tsx';
import { Figures } from './figures.tsx';
import { live } from './live.ts';
import { useNow } from './now.ts';
import { QuickAction } from './quick-action.tsx';

const year = 366 * 86_400_000;
/** Before the first appointment that there can be. */
const beginning = '2000-01-01T00:00:00Z';

type Api = { booking: typeof bookingContract };

/** What a client finds on `/home`: their next sessions, what they can do about them, and the way to another. */
export function ClientDashboard({ viewer }: { viewer: Viewer }) {
  const api = useApi<Api>();
  const now = useNow();
  const news = useBookingNews();
  const { openBooking } = useBooking();
  const { flags } = useSite();
  const [opened, setOpened] = useState(now);
  if (opened === null && now !== null) setOpened(now);
  const timeZone = now === null ? 'UTC' : deviceZone();
  const shown = { opened, now: now ?? 0, timeZone };

  const figures = useQuery({
    ...api.booking.clientFigures.queryOptions({ input: { timeZone } }),
    enabled: now !== null,
    ...live,
  }).data;
  const book = (
    <PermissionGate role={viewer.role} capability="book_appointments">
      <Button size="lg" className="max-sm:w-full" onClick={() => openBooking()}>
        <CalendarPlus />
        {m.home_book()}
      </Button>
    </PermissionGate>
  );

  return (
    <DashboardFrame news={news}>
      <DashboardHeading title={m.home_welcome({ name: firstName(viewer.fullName) })} action={book}>
        {m.home_client_intro()}
      </DashboardHeading>
      <div className="mt-8">
        <Figures
          figures={[
            { label: m.home_upcoming(), value: figures?.upcoming, icon: <CalendarDays />, hue: 'sea' },
            {
              label: m.home_sessions_this_month(),
              value: figures?.sessionsThisMonth,
              icon: <CalendarCheck />,
              hue: 'leaf',
            },
            {
              label: m.home_hours_of_care(),
              value: figures && hoursText(figures.hoursOfCare),
              icon: <Clock />,
              hue: 'wheat',
            },
          ]}
        />
      </div>
      <div className="mt-10 grid items-start gap-x-8 gap-y-10 lg:grid-cols-[1fr_20rem]">
        <div className="grid min-w-0 gap-10">
          <section aria-labelledby="upcoming">
            <h2 id="upcoming" tabIndex={-1} className="mb-4 rounded-control text-xl">
              {m.home_upcoming()}
            </h2>
            <PermissionGate role={viewer.role} capability="view_own_appointments">
              <Upcoming {...shown} onBook={() => openBooking()} />
            </PermissionGate>
          </section>
          <PermissionGate role={viewer.role} capability="view_own_appointments" fallback={null}>
            <Past {...shown} />
          </PermissionGate>
        </div>
        <section aria-labelledby="quick-actions" className="lg:sticky lg:top-24">
          <h2 id="quick-actions" className="mb-4 text-xl">
            {m.home_quick_actions()}
          </h2>
          <ul className="grid gap-3">
            <li>
              <PermissionGate role={viewer.role} capability="book_appointments">
                <QuickAction
                  onPress={() => openBooking()}
                  icon={<HeartHandshake />}
                  hue="sea"
                  title={m.home_book_one()}
                  text={m.home_book_one_text()}
                />
              </PermissionGate>
            </li>
            <li>
              <PermissionGate role={viewer.role} capability="view_content">
                <QuickAction
                  to="/resources"
                  icon={<BookOpen />}
                  hue="leaf"
                  title={m.home_resources()}
                  text={m.home_resources_text()}
                />
              </PermissionGate>
            </li>
            {flags.includes('wellness_tracking') && (
              <li>
                <QuickAction
                  to="/growth"
                  icon={<Sprout />}
                  hue="dusk"
                  title={m.home_growth()}
                  text={m.home_growth_text()}
                />
              </li>
            )}
            <li>
              <QuickAction
                to="/devotional"
                icon={<Sunrise />}
                hue="wheat"
                title={m.home_devotional()}
                text={m.home_devotional_text()}
              />
            </li>
            <li>
              <PermissionGate role={viewer.role} capability="manage_own_profile">
                <QuickAction
                  to="/profile"
                  icon={<UserRound />}
                  hue="plum"
                  title={m.home_update_profile()}
                  text={m.home_update_profile_text()}
                />
              </PermissionGate>
            </li>
          </ul>
        </section>
      </div>
    </DashboardFrame>
  );
}

/** The client's sessions from the moment on at which the page was opened: that moment stays, so that the answer does. */
function useAhead(opened: number | null) {
  const api = useApi<Api>();
  return useQuery({
    ...api.booking.mine.queryOptions({ input: { ...spanFrom(opened ?? 0), limit: 200 } }),
    enabled: opened !== null,
    ...live,
  });
}

interface Shown {
  opened: number | null;
  now: number;
  timeZone: string;
}

/** The sessions that are still to come or under way, next first. */
function Upcoming({ opened, now, timeZone, onBook }: Shown & { onBook: () => void }) {
  return (
    <Fetched query={useAhead(opened)} skeleton={<AppointmentListSkeleton />}>
      {(appointments) => {
        const ahead = appointments.filter((one) => isAhead(one, now));
        if (ahead.length > 0) return <AppointmentList appointments={ahead} timeZone={timeZone} />;
        return (
          <Card>
            <EmptyState
              illustration={<TableIllustration />}
              title={m.home_no_upcoming()}
              action={<Button onClick={onBook}>{m.home_schedule_one()}</Button>}
            >
              {m.home_no_upcoming_text()}
            </EmptyState>
          </Card>
        );
      }}
    </Fetched>
  );
}

/** How many of the past sessions are fetched at a time. */
const pastPage = 10;

/** The sessions that were completed, cancelled or missed, latest first; fetched once they are looked for. */
function Past({ opened, now, timeZone }: Shown) {
  const api = useApi<Api>();
  const [open, setOpen] = useState(false);
  const ahead = useAhead(opened);
  const history = useInfiniteQuery({
    ...api.booking.mine.infiniteOptions({
      input: (before: string) => ({
        from: beginning,
        to: before,
        order: 'descending' as const,
        limit: pastPage,
      }),
      initialPageParam: new Date(opened ?? 0).toISOString(),
      getNextPageParam: (last) => (last.length < pastPage ? undefined : last.at(-1)?.startsAt),
    }),
    enabled: open && opened !== null,
    networkMode: 'always',
  });
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
      <summary className="flex min-h-14 list-none items-center gap-3 rounded-card border border-line bg-card px-5 py-2 shadow-soft hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <h2 className="text-lg">{m.home_past()}</h2>
        <span className="min-w-0 flex-1 text-sm text-quiet max-sm:sr-only">{m.home_past_text()}</span>
        <ChevronDown className="ml-auto size-5 shrink-0 text-quiet transition-transform duration-150 group-open:rotate-180" />
      </summary>
      <div className="mt-4">
        <Fetched query={history} skeleton={<AppointmentListSkeleton />}>
          {({ pages }) => {
            const latestFirst = pages.flat();
            // Sessions of the coming time are over, too, once they are cancelled.
            for (const one of ahead.data ?? []) latestFirst.unshift(one);
            const over = latestFirst.filter((one) => !isAhead(one, now));
            const each = [...new Map(over.map((one) => [one.id, one])).values()];
            if (each.length === 0) return <p className="px-5 text-quiet">{m.home_past_empty()}</p>;
            return (
              <>
                <PastList appointments={each} timeZone={timeZone} />
                {history.hasNextPage && (
                  <Button
                    variant="secondary"
                    className="mt-4"
                    busy={history.isFetchingNextPage}
                    onClick={() => void history.fetchNextPage()}
                  >
                    {m.home_show_earlier()}
                  </Button>
                )}
              </>
            );
          }}
        </Fetched>
      </div>
    </details>
  );
}

/** Whether a session still holds its time and isn't over. */
function isAhead({ status, endsAt }: AppointmentView, now: number): boolean {
  return (status === 'pending' || status === 'confirmed') && Date.parse(endsAt) > now;
}

function spanFrom(instant: number): { from: string; to: string } {
  return { from: new Date(instant).toISOString(), to: new Date(instant + year).toISOString() };
}

/** Hours with at most one decimal, such as `6.5`. */
function hoursText(hours: number): string {
  return String(Math.round(hours * 10) / 10);
}

function firstName(fullName: string): string {
  return fullName.trim().split(/\s+/)[0] ?? fullName;
}
