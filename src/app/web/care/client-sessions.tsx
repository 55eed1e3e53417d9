import { useInfiniteQuery } from '@tanstack/react-query';
import { NotebookPen } from 'lucide-react';
import { api } from '#/web/api.tsx';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { dateText } from '#/web/times.ts';
import { sessionsQuery } from '#/features/care/ui/care-queries.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { useNow } from '#/web/now.ts';
import { PastList } from '../dashboards/appointment-list.tsx';
import { DayRows, DayRowsSkeleton } from '../dashboards/day-rows.tsx';

export function ClientSessions({
  clientId,
  timeZone,
  onWrite,
}: {
  clientId: string;
  timeZone: string;
  /** Omitted once notes are closed. */
  onWrite?: (appointmentId: string) => void;
}) {
  const now = useNow() ?? 0;
  const ahead = useInfiniteQuery(sessionsQuery(api.care, clientId, 'to_come'));
  const past = useInfiniteQuery(sessionsQuery(api.care, clientId, 'past'));
  const sessionsIn = (query: typeof ahead) => query.data?.pages.flatMap((one) => one.sessions);
  return (
    <div className="grid max-w-3xl gap-10">
      <Section title={m.care_sessions_upcoming()} titleClassName="mb-4 text-xl" focusable>
        <FetchedList
          query={ahead}
          entries={sessionsIn(ahead)}
          skeleton={<DayRowsSkeleton count={1} />}
          empty={<p className="text-quiet">{m.care_sessions_none_upcoming()}</p>}
        >
          {(found) => <DayRows appointments={found} timeZone={timeZone} now={now} dated ofClient />}
        </FetchedList>
      </Section>
      <Section title={m.sessions_past()} titleClassName="mb-4 text-xl" focusable>
        <FetchedList
          query={past}
          entries={sessionsIn(past)}
          empty={<p className="text-quiet">{m.care_sessions_none_past()}</p>}
        >
          {(found) => (
            <PastList
              appointments={found}
              timeZone={timeZone}
              ofClient
              {...(onWrite && { actions: writing(timeZone, onWrite) })}
            />
          )}
        </FetchedList>
      </Section>
    </div>
  );
}

function writing(timeZone: string, onWrite: (appointmentId: string) => void) {
  return ({ id, startsAt }: AppointmentView) => (
    <Button
      variant="quiet"
      size="sm"
      className="-ml-3.5"
      aria-label={m.care_sessions_write_note_of({ date: dateText(startsAt, timeZone) })}
      onClick={() => onWrite(id)}
    >
      <NotebookPen />
      {m.care_sessions_write_note()}
    </Button>
  );
}
