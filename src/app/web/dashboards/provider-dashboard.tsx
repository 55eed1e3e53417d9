import type { InferContractRouterOutputs, InferContractRouterInputs } from '@orpc/contract';
import { useQuery } from '@tanstack/react-query';
import { CalendarCheck, CalendarDays, Hourglass, Star, UserRoundPen } from 'lucide-react';
import { useRef, useState, type RefObject } from 'react';
import { Link } from 'react-router';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import type { appointmentsContract } from '#/features/appointments/contract.ts';
import { useMessageDay } from '#/features/messaging/ui/message-times.ts';
import { useHasMessages } from '#/features/messaging/ui/messages-on.ts';
import { RecentMessages } from '#/features/messaging/ui/recent-messages.tsx';
import { WaitingCount } from '#/features/waitlist/ui/waiting-count.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ButtonLink } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Loading } from '#/web/components/skeleton.tsx';
import { useNow, useOpenedAt } from '#/web/now.ts';
import { dateIn, plainDateText, zoneText } from '#/web/times.ts';
import { DashboardFrame, DashboardHeading } from '../dashboard-frame.tsx';
import { useBookingNews } from './booking-news.ts';
import { OwnGuestSessions } from './own-parts.tsx';
import { ComingUp } from './coming-up.tsx';
import { unfinishedSpan, waitingSpan } from './days.ts';
import { Figures } from './figures.tsx';
import { live } from './live.ts';
import { NextSession, NextSessionSkeleton } from './next-session.tsx';
import { ProviderActions } from './provider-actions.tsx';
import { ProviderTools } from './provider-tools.tsx';
import { Schedule } from './schedule.tsx';
import { DayRowsSkeleton, DayRows } from './day-rows.tsx';
import { useUnreadFigure } from './unread-figure.tsx';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';

export function ProviderDashboard({ viewer }: { viewer: Viewer }) {
  const now = useNow();
  const opened = useOpenedAt();
  const news = useBookingNews();
  const figures = useQuery({ ...api.appointments.providerFigures.queryOptions(), ...live });
  const timeZone = figures.data?.timeZone;
  const messages = useHasMessages();
  const messageDay = useMessageDay();
  const shown = now !== null && opened !== null && timeZone ? { now, opened, timeZone } : null;
  const [chosen, setChosen] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  return (
    <DashboardFrame news={news}>
      <DashboardHeading
        title={<span className="max-sm:text-xl">{m.home_welcome({ name: viewer.fullName })}</span>}
        action={
          <PermissionGate role={viewer.role} capability="manage_own_profile">
            <ButtonLink to="/practice" variant="secondary" size="sm">
              <UserRoundPen />
              {m.home_edit_profile()}
            </ButtonLink>
          </PermissionGate>
        }
      >
        {shown &&
          m.home_day({
            date: plainDateText(dateIn(shown.now, shown.timeZone)),
            zone: zoneText(shown.timeZone),
          })}
      </DashboardHeading>
      <PermissionGate role={viewer.role} capability="manage_own_appointments" fallback={null}>
        <div className="mt-5 empty:hidden">
          {shown ? <NextSession {...shown} /> : !figures.isError && <NextSessionSkeleton />}
        </div>
      </PermissionGate>
      <div className="mt-5">
        <ProviderFigures figures={figures.data} />
      </div>
      <div className="mt-6 grid items-start gap-x-6 gap-y-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid min-w-0 grid-cols-1 gap-8">
          <PermissionGate role={viewer.role} capability="manage_own_appointments">
            <Fetched query={figures} failure={m.home_load_failed()} skeleton={<DayRowsSkeleton />}>
              {() =>
                shown ? (
                  <Diary {...shown} chosen={chosen} heading={heading} onDate={setChosen} />
                ) : (
                  <Loading>
                    <DayRowsSkeleton />
                  </Loading>
                )
              }
            </Fetched>
          </PermissionGate>
          {timeZone && <OwnGuestSessions timeZone={timeZone} />}
          {messages && (
            <PermissionGate role={viewer.role} capability="send_messages">
              <RecentMessages party="provider" {...messageDay} />
            </PermissionGate>
          )}
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-8">
          <PermissionGate role={viewer.role} capability="manage_own_appointments" fallback={null}>
            {shown && (
              <ComingUp
                from={shown.opened}
                today={dateIn(shown.now, shown.timeZone)}
                timeZone={shown.timeZone}
                onDate={(date) => {
                  setChosen(date);
                  heading.current?.focus();
                }}
              />
            )}
          </PermissionGate>
          <ProviderActions viewer={viewer} />
          <ProviderTools viewer={viewer} />
        </div>
      </div>
    </DashboardFrame>
  );
}

type KnownFigures = InferContractRouterOutputs<typeof appointmentsContract>['providerFigures'];

function ProviderFigures({ figures }: { figures: KnownFigures | undefined }) {
  const reviews = figures?.reviewCount ?? 0;
  const unread = useUnreadFigure();
  return (
    <Figures
      figures={[
        { label: m.home_todays_appointments(), value: figures?.today, icon: <CalendarDays />, hue: 'sea' },
        ...unread,
        { label: m.home_this_month(), value: figures?.thisMonth, icon: <CalendarCheck />, hue: 'leaf' },
        {
          label: m.home_rating(),
          value: figures && (figures.rating === null ? m.home_rating_none() : figures.rating.toFixed(1)),
          note: figures && (
            <Link
              to="/reviews"
              className="-my-2.5 inline-flex min-h-11 items-center text-primary hover:underline"
            >
              {reviewsText(reviews)}
            </Link>
          ),
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
  return m.analytics_reviews_count({ count });
}

function Diary({
  opened,
  now,
  timeZone,
  chosen,
  heading,
  onDate,
}: {
  opened: number;
  now: number;
  timeZone: string;
  chosen: string | null;
  heading: RefObject<HTMLHeadingElement | null>;
  onDate: (date: string | null) => void;
}) {
  const today = dateIn(now, timeZone);
  return (
    <>
      <AppointmentSection
        title={m.schedule_waiting()}
        text={m.schedule_waiting_text()}
        timeZone={timeZone}
        now={now}
        span={waitingSpan(opened)}
      />
      <div>
        <Schedule
          date={chosen ?? today}
          today={today}
          timeZone={timeZone}
          now={now}
          heading={heading}
          onDate={onDate}
        />
        <WaitingCount />
      </div>
      <AppointmentSection
        title={m.home_unfinished()}
        text={m.home_unfinished_text()}
        timeZone={timeZone}
        now={now}
        span={unfinishedSpan(opened)}
        // Today's sessions are completed in the schedule itself.
        only={({ endsAt }) => Date.parse(endsAt) <= now && dateIn(endsAt, timeZone) < today}
      />
    </>
  );
}

type Span = InferContractRouterInputs<typeof appointmentsContract>['mine'];

function AppointmentSection({
  title,
  text,
  timeZone,
  now,
  span,
  only = () => true,
}: {
  title: string;
  text: string;
  timeZone: string;
  now: number;
  span: Span;
  only?: (appointment: AppointmentView) => boolean;
}) {
  const query = useQuery({ ...api.appointments.mine.queryOptions({ input: span }), ...live });
  const appointments = query.data?.filter(only) ?? [];
  if (appointments.length === 0) return null;
  return (
    <Section title={title} focusable>
      <p className="mb-3 text-quiet">{text}</p>
      <DayRows appointments={appointments} timeZone={timeZone} now={now} dated />
    </Section>
  );
}
