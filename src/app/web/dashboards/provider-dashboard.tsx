import type { InferContractRouterOutputs } from '@orpc/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  CalendarCheck,
  CalendarClock,
  CalendarDays,
  CalendarSync as CalendarSyncMark,
  ChartColumn,
  Contact,
  HandHeart,
  Hourglass,
  PenLine,
  Star,
  Sunrise,
  UserRoundPen,
  UsersRound,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useSite } from '#/features/accounts/ui/session.tsx';
import type { appointmentsContract } from '#/features/appointments/contract.ts';
import { GuestSessions } from '#/features/attendees/ui/guest-sessions.tsx';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';
import { dateIn, plainDateText, zoneText } from '#/web/times.ts';
import { WaitingCount } from '#/features/waitlist/ui/waiting-count.tsx';
import { RecentMessages } from '#/features/messaging/ui/recent-messages.tsx';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { ButtonLink } from '#/web/components/button.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Loading } from '#/web/components/skeleton.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { lazyPart } from '#/web/lazy-part.ts';
import { useMessageDay } from '#/features/messaging/ui/message-times.ts';
import { useHasMessages } from '#/features/messaging/ui/messages-on.ts';
import { useUnreadFigure } from './unread-figure.tsx';
import { AppointmentListSkeleton } from './appointment-list.tsx';
import { useBookingNews } from './booking-news.ts';
import { ComingUp } from './coming-up.tsx';
import { DashboardFrame, DashboardHeading } from '../dashboard-frame.tsx';
import { day, iso, year } from './days.ts';
import { Figures } from './figures.tsx';
import { AppointmentSection } from './appointment-section.tsx';
import { live } from './live.ts';
import { useNow } from '#/web/now.ts';
import { QuickAction, QuickActions, Room, Rooms } from './quick-action.tsx';
import { Schedule } from './schedule.tsx';

/** How far back sessions without outcome are listed. */
const unfinishedReach = 90 * day;

const CalendarSync = lazyPart(async () => (await import('../calendar-sync.tsx')).CalendarSync);

export function ProviderDashboard({ viewer }: { viewer: Viewer }) {
  const api = useApi();
  const now = useNow();
  const news = useBookingNews();
  const { flags } = useSite();
  const figures = useQuery({ ...api.appointments.providerFigures.queryOptions(), ...live });
  const timeZone = figures.data?.timeZone;
  const messages = useHasMessages();
  const messageDay = useMessageDay();
  const skeleton = <AppointmentListSkeleton count={3} />;

  return (
    <DashboardFrame news={news}>
      <DashboardHeading
        title={m.home_welcome({ name: viewer.fullName })}
        action={
          <PermissionGate role={viewer.role} capability="manage_own_profile">
            <ButtonLink to="/practice" variant="secondary">
              <UserRoundPen />
              {m.home_edit_profile()}
            </ButtonLink>
          </PermissionGate>
        }
      >
        {now !== null &&
          timeZone &&
          `${plainDateText(dateIn(now, timeZone))}. ${m.home_own_zone({ zone: zoneText(timeZone) })}`}
      </DashboardHeading>
      <div className="mt-8">
        <ProviderFigures figures={figures.data} />
        <PermissionGate role={viewer.role} capability="manage_own_appointments" fallback={null}>
          <WaitingCount className="mt-3 text-quiet" />
        </PermissionGate>
      </div>
      <div className="mt-10">
        <PermissionGate role={viewer.role} capability="manage_own_appointments">
          <Fetched query={figures} failure={m.home_load_failed()} skeleton={skeleton}>
            {(known) =>
              now === null ? <Loading>{skeleton}</Loading> : <Diary now={now} timeZone={known.timeZone} />
            }
          </Fetched>
        </PermissionGate>
      </div>
      {timeZone && <GuestSessions timeZone={timeZone} className="mt-10" />}
      {messages && (
        <div className="mt-10">
          <PermissionGate role={viewer.role} capability="send_messages">
            <RecentMessages party="provider" {...messageDay} />
          </PermissionGate>
        </div>
      )}
      <ProviderActions viewer={viewer} />
      <Rooms label={m.home_rooms()} className="mt-8">
        <PermissionGate role={viewer.role} capability="view_own_clients" fallback={null}>
          <Room
            to="/clients"
            icon={<UsersRound />}
            title={m.care_clients_title()}
            text={m.home_clients_text()}
          />
        </PermissionGate>
        <PermissionGate role={viewer.role} capability="view_own_analytics" fallback={null}>
          <Room
            to="/insights"
            icon={<ChartColumn />}
            title={m.analytics_own_title()}
            text={m.home_insights_text()}
          />
          <Room
            to="/reviews"
            icon={<Star />}
            title={m.reviews_own_title()}
            text={m.home_reviews_room_text()}
          />
        </PermissionGate>
        <PermissionGate role={viewer.role} capability="manage_own_profile" fallback={null}>
          <Room
            to="/practice"
            icon={<UserRoundPen />}
            title={m.home_public_profile()}
            text={m.home_public_profile_text()}
          />
        </PermissionGate>
        {flags.includes('wellness_tracking') && (
          <Room to="/prayers" icon={<HandHeart />} title={m.home_prayers()} text={m.home_prayers_text()} />
        )}
        <PermissionGate role={viewer.role} capability="create_content" fallback={null}>
          <Room to="/author" icon={<PenLine />} title={m.home_author()} text={m.home_author_text()} />
        </PermissionGate>
        <Room
          to="/devotional"
          icon={<Sunrise />}
          title={m.home_devotional()}
          text={m.home_devotional_text()}
        />
      </Rooms>
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
  return m.home_reviews({ count });
}

/** Quick actions (client spec, "Provider dashboard"). */
function ProviderActions({ viewer }: { viewer: Viewer }) {
  const api = useApi();
  const site = useSite();
  const { toast } = useToast();
  const [syncing, setSyncing] = useState(false);
  const card = useMutation({
    mutationFn: async () => {
      const [{ ownCard }, { download }] = await Promise.all([
        import('./own-card.ts'),
        import('#/features/appointments/ui/download.ts'),
      ]);
      download(await ownCard(api, viewer, site));
    },
    onSuccess: () => toast({ tone: 'success', title: m.booking_card_downloaded() }),
    onError: () =>
      toast({
        tone: 'destructive',
        title: m.booking_download_failed(),
        description: m.home_card_failed_text(),
      }),
  });
  return (
    <QuickActions className="mt-10" list="sm:grid-cols-2 lg:grid-cols-3">
      <li>
        <PermissionGate role={viewer.role} capability="manage_own_availability">
          <QuickAction
            to="/availability"
            icon={<CalendarClock />}
            hue="sea"
            title={m.availability_title()}
            text={m.home_availability_text()}
          />
        </PermissionGate>
      </li>
      <li>
        <QuickAction
          onPress={() => {
            if (!card.isPending) card.mutate();
          }}
          icon={<Contact />}
          hue="leaf"
          title={m.home_card()}
          text={m.home_card_text()}
        />
      </li>
      <li>
        <QuickAction
          onPress={() => setSyncing(true)}
          icon={<CalendarSyncMark />}
          hue="dusk"
          title={m.feed_title()}
          text={m.home_sync_text()}
        />
        {syncing && (
          <LazyBoundary>
            <CalendarSync onClose={() => setSyncing(false)} />
          </LazyBoundary>
        )}
      </li>
    </QuickActions>
  );
}

function Diary({ now, timeZone }: { now: number; timeZone: string }) {
  // Query ranges start at page open and stay fixed, so cached results remain valid.
  const [opened] = useState(now);
  const [chosen, setChosen] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const today = dateIn(now, timeZone);
  return (
    <div className="grid items-start gap-x-8 gap-y-10 lg:grid-cols-[1fr_20rem]">
      <div className="grid min-w-0 gap-10">
        <AppointmentSection
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
        <AppointmentSection
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
          // Today's sessions are completed in the schedule itself.
          only={({ endsAt }) => Date.parse(endsAt) <= now && dateIn(endsAt, timeZone) < today}
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
