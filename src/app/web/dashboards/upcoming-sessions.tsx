import { m } from '#/texts/messages.js';
import { Fetched } from '#/web/components/fetched.tsx';
import { AppointmentListSkeleton } from './appointment-list.tsx';
import { DayRows } from './day-rows.tsx';
import { isAhead, useAhead, type Shown } from './own-sessions.tsx';
import { NothingAhead, type Empty } from './own-upcoming.tsx';
import { SessionRows } from './session-rows.tsx';

export function UpcomingSessions({ opened, now, timeZone, empty }: Shown & { empty: Empty }) {
  return (
    <Fetched query={useAhead(opened)} failure={m.home_load_failed()} skeleton={<AppointmentListSkeleton />}>
      {(appointments) => {
        const ahead = appointments.filter((one) => isAhead(one, now));
        const [next] = ahead;
        if (!next) return <NothingAhead {...empty} />;
        if (next.client) return <DayRows appointments={ahead} timeZone={timeZone} now={now} dated />;
        return <SessionRows appointments={ahead} apart={next} now={now} timeZone={timeZone} />;
      }}
    </Fetched>
  );
}
