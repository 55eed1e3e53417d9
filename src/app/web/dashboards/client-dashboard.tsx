import { useQuery } from '@tanstack/react-query';
import {
  BookOpen,
  CalendarPlus,
  ChevronDown,
  HeartHandshake,
  Sprout,
  Sunrise,
  UserRound,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { RecentMessages } from '#/features/messaging/ui/recent-messages.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { ZoneLine } from '#/web/own-zone.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { useMessageDay } from '#/features/messaging/ui/message-times.ts';
import { useHasMessages } from '#/features/messaging/ui/messages-on.ts';
import { useUnreadFigure } from './unread-figure.tsx';
import { useBookingNews } from './booking-news.ts';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { AppointmentListSkeleton } from './appointment-list.tsx';
import { FigureStrip } from './figures.tsx';
import { live } from './live.ts';
import { OwnGuestSessions, OwnOffers, OwnWaits } from './own-parts.tsx';
import { isUpcoming, useUpcomingSessions, useShown, type Shown } from './own-sessions.tsx';
import { LaterSessions, NextSession } from './own-upcoming.tsx';
import { QuickAction, QuickActions } from './quick-action.tsx';

const PastSessions = lazyPart(
  async () => (await import('./past-sessions.tsx')).PastSessions,
  () => <AppointmentListSkeleton />,
);

export function ClientDashboard({ viewer }: { viewer: Viewer }) {
  const shown = useShown();
  const news = useBookingNews();
  const book = useBookingWithUsual(shown);
  const messages = useHasMessages();
  const messageDay = useMessageDay();

  return (
    <DashboardFrame news={news}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h1 className="min-w-0 flex-1 basis-40 text-xl sm:text-3xl">
          {m.home_welcome({ name: firstName(viewer.fullName) })}
        </h1>
        <PermissionGate role={viewer.role} capability="book_appointments">
          <Button className="max-sm:px-3.5 max-sm:text-sm max-sm:[&>svg]:hidden" onClick={book}>
            <CalendarPlus />
            {m.home_book()}
          </Button>
        </PermissionGate>
      </div>
      <ZoneLine timeZone={shown.timeZone} className="mt-2 text-sm text-quiet" />
      {/* On phones in this order; on desktops the second and last part are the right column. */}
      <div className="mt-5 grid gap-x-8 sm:mt-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_auto_1fr]">
        <div className="grid min-w-0 content-start gap-6 pb-6">
          <Section titleId="upcoming" title={m.home_upcoming()} titleClassName="mb-3 text-xl" focusable>
            <PermissionGate role={viewer.role} capability="view_own_appointments">
              <NextSession
                {...shown}
                empty={{
                  title: m.home_no_upcoming(),
                  text: m.sessions_none_upcoming_text(),
                  action: <Button onClick={book}>{m.home_schedule_one()}</Button>,
                }}
              />
            </PermissionGate>
          </Section>
          <PermissionGate role={viewer.role} capability="view_own_appointments" fallback={null}>
            <OwnGuestSessions timeZone={shown.timeZone} />
          </PermissionGate>
        </div>
        <div className="grid min-w-0 content-start lg:row-span-2">
          <PermissionGate role={viewer.role} capability="book_appointments" fallback={null}>
            <OwnOffers now={shown.now} timeZone={shown.timeZone} className="mb-6" />
          </PermissionGate>
          {messages && (
            <PermissionGate role={viewer.role} capability="send_messages">
              <RecentMessages party="client" {...messageDay} className="mb-6" />
            </PermissionGate>
          )}
        </div>
        <div className="grid min-w-0 content-start gap-6 pb-6 empty:hidden lg:col-start-1 lg:row-span-2 lg:row-start-2">
          <PermissionGate role={viewer.role} capability="view_own_appointments" fallback={null}>
            <LaterSessions {...shown} />
          </PermissionGate>
          <PermissionGate role={viewer.role} capability="book_appointments" fallback={null}>
            <OwnWaits timeZone={shown.timeZone} />
          </PermissionGate>
          <PermissionGate role={viewer.role} capability="view_own_appointments" fallback={null}>
            <Past viewer={viewer} shown={shown} />
          </PermissionGate>
        </div>
        <div className="grid min-w-0 content-start gap-6 lg:col-start-2 lg:row-start-3">
          <ClientFigures shown={shown} />
          <ClientActions viewer={viewer} onBook={book} />
        </div>
      </div>
    </DashboardFrame>
  );
}

/** Opens the booking dialog as the next session was booked. */
function useBookingWithUsual({ opened, now }: Shown): () => void {
  const { openBooking } = useBooking();
  const next = useUpcomingSessions(opened).data?.find((one) => isUpcoming(one, now));
  return () =>
    openBooking(
      next && {
        usual: { providerId: next.provider.id, serviceId: next.service.id },
        sessionType: next.sessionType,
        durationMinutes: next.durationMinutes,
        phone: next.calledAt ?? undefined,
      },
    );
}

function ClientFigures({ shown }: { shown: Shown }) {
  const unread = useUnreadFigure();
  const figures = useQuery({
    ...api.appointments.clientFigures.queryOptions({ input: { timeZone: shown.timeZone } }),
    enabled: shown.opened !== null,
    ...live,
  }).data;
  return (
    <FigureStrip
      figures={[
        { label: m.home_upcoming(), value: figures?.upcoming },
        ...unread,
        { label: m.home_sessions_this_month(), value: figures?.sessionsThisMonth },
        { label: m.home_hours_of_care(), value: figures && hoursText(figures.hoursOfCare) },
      ]}
    />
  );
}

function ClientActions({ viewer, onBook }: { viewer: Viewer; onBook: () => void }) {
  const { flags } = useSite();
  return (
    <QuickActions list="grid-cols-[repeat(auto-fit,minmax(min(10rem,100%),1fr))]">
      <li className="col-span-full">
        <PermissionGate role={viewer.role} capability="book_appointments">
          <QuickAction onPress={onBook} icon={<HeartHandshake />} hue="sea" title={m.home_book_one()} />
        </PermissionGate>
      </li>
      <li>
        <PermissionGate role={viewer.role} capability="view_content">
          <QuickAction to="/resources" icon={<BookOpen />} hue="leaf" title={m.home_resources()} />
        </PermissionGate>
      </li>
      {flags.includes('wellness_tracking') && (
        <li>
          <QuickAction to="/growth" icon={<Sprout />} hue="dusk" title={m.home_growth()} />
        </li>
      )}
      <li>
        <QuickAction to="/devotional" icon={<Sunrise />} hue="wheat" title={m.home_devotional()} />
      </li>
      <li>
        <PermissionGate role={viewer.role} capability="manage_own_profile">
          <QuickAction to="/profile" icon={<UserRound />} hue="plum" title={m.home_update_profile()} />
        </PermissionGate>
      </li>
    </QuickActions>
  );
}

/** Past sessions, latest first; loaded once opened. */
function Past({ viewer, shown }: { viewer: Viewer; shown: Shown }) {
  const details = useRef<HTMLDetailsElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    // May have been opened before hydration.
    if (details.current?.open) setOpen(true);
  }, []);
  return (
    <details
      ref={details}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group"
    >
      <summary className="flex min-h-14 list-none items-center gap-3 rounded-card border border-line bg-card px-4 py-2 shadow-soft hover:bg-sunken sm:px-5 [&::-webkit-details-marker]:hidden">
        <h2 className="text-lg">{m.sessions_past()}</h2>
        <ChevronDown className="ml-auto size-5 shrink-0 text-quiet transition-transform duration-150 group-open:rotate-180" />
      </summary>
      <div className="mt-3">{open && <PastSessions viewer={viewer} {...shown} />}</div>
    </details>
  );
}

/** Hours rounded to one decimal, such as `6.5`. */
function hoursText(hours: number): string {
  return String(Math.round(hours * 10) / 10);
}

function firstName(fullName: string): string {
  return fullName.trim().split(/\s+/)[0] ?? fullName;
}
