import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { ReceivedReviews } from '#/features/reviews/ui/received-reviews.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { ZoneLine } from '#/web/own-zone.tsx';
import { useBookingNews } from '../dashboards/booking-news.ts';
import { OwnOffers, OwnWaits } from '../dashboards/own-parts.tsx';
import { useShown, isUpcoming, useUpcomingSessions, type Shown } from '../dashboards/own-sessions.tsx';
import { PastSessions } from '../dashboards/past-sessions.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { AppointmentListSkeleton } from '../dashboards/appointment-list.tsx';
import { DayRows } from '../dashboards/day-rows.tsx';
import { NothingAhead, type Empty } from '../dashboards/own-upcoming.tsx';
import { SessionRows } from '../dashboards/session-rows.tsx';

export function SessionsTab({ viewer }: { viewer: Viewer }) {
  return (
    <PermissionGate role={viewer.role} capabilities={['view_own_appointments', 'manage_own_appointments']}>
      <Sessions viewer={viewer} />
    </PermissionGate>
  );
}

function Sessions({ viewer }: { viewer: Viewer }) {
  const shown = useShown();
  const news = useBookingNews();
  const { openBooking } = useBooking();
  return (
    <div className="grid max-w-3xl gap-8">
      <ZoneLine timeZone={shown.timeZone} className="text-sm text-quiet" />
      <PermissionGate role={viewer.role} capability="book_appointments" fallback={null}>
        <OwnOffers now={shown.now} timeZone={shown.timeZone} />
      </PermissionGate>
      <Section title={m.sessions_upcoming()} titleClassName="mb-3 text-xl" focusable>
        <UpcomingSessions
          {...shown}
          empty={{
            title: m.sessions_none_upcoming(),
            text: m.sessions_none_upcoming_text(),
            action: (
              <PermissionGate role={viewer.role} capability="book_appointments" fallback={null}>
                <Button onClick={() => openBooking()}>{m.sessions_book()}</Button>
              </PermissionGate>
            ),
          }}
        />
      </Section>
      <PermissionGate role={viewer.role} capability="book_appointments" fallback={null}>
        <OwnWaits timeZone={shown.timeZone} />
      </PermissionGate>
      <Section title={m.sessions_past()} titleClassName="mb-3 text-xl" focusable>
        <PastSessions viewer={viewer} {...shown} />
      </Section>
      <PermissionGate role={viewer.role} capability="manage_own_appointments" fallback={null}>
        <Section title={m.reviews_received()} titleClassName="mb-3 text-xl">
          <ReceivedReviews />
        </Section>
      </PermissionGate>
      <p role="status" aria-live="polite" className="sr-only">
        {news}
      </p>
    </div>
  );
}

function UpcomingSessions({ opened, now, timeZone, empty }: Shown & { empty: Empty }) {
  return (
    <Fetched
      query={useUpcomingSessions(opened)}
      failure={m.home_load_failed()}
      skeleton={<AppointmentListSkeleton />}
    >
      {(appointments) => {
        const ahead = appointments.filter((one) => isUpcoming(one, now));
        const [next] = ahead;
        if (!next) return <NothingAhead {...empty} />;
        if (next.client) return <DayRows appointments={ahead} timeZone={timeZone} now={now} dated />;
        return <SessionRows appointments={ahead} apart={next} now={now} timeZone={timeZone} />;
      }}
    </Fetched>
  );
}
