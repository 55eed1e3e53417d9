import { ChevronDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { AppointmentActions } from '#/features/appointments/ui/appointment-actions.tsx';
import { AppointmentRow } from '#/features/appointments/ui/appointment-row.tsx';
import { StatusBadge } from '#/features/appointments/ui/status-badge.tsx';
import { MessageLink } from '#/features/messaging/ui/send-message.tsx';
import { SessionLink, SessionNote } from '#/features/video/ui/session-link.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { nearDayText, timeText } from '#/web/times.ts';
import { appointmentParts } from '../appointment-parts.ts';
import { frequencyOf, type Frequency } from './series-frequency.ts';

const page = 5;

/** Upcoming sessions. Folds each series into one entry, except for the session `apart`. */
export function SessionRows({
  appointments,
  apart,
  now,
  timeZone,
}: {
  appointments: readonly AppointmentView[];
  /** The session that starts next. */
  apart?: AppointmentView;
  now: number;
  timeZone: string;
}) {
  const [shown, setShown] = useState(page);
  const entries = [...Map.groupBy(appointments, (one) => (one === apart ? one.id : one.bookingId)).values()];
  return (
    <>
      <Card as="div" className="p-0!">
        <ul className="divide-y divide-line">
          {entries.slice(0, shown).map(([first, ...others]) => (
            <li key={first === apart ? first!.id : first!.bookingId} className="relative">
              {others.length === 0 ? (
                <Row
                  appointment={first!}
                  now={now}
                  timeZone={timeZone}
                  {...(first === apart
                    ? { note: <SessionNote appointment={first!} timeZone={timeZone} /> }
                    : {})}
                />
              ) : (
                <Series sessions={[first!, ...others]} now={now} timeZone={timeZone} />
              )}
            </li>
          ))}
        </ul>
      </Card>
      {entries.length > shown && (
        <Button variant="secondary" className="mt-4" onClick={() => setShown(shown + page)}>
          {m.web_show_more()}
        </Button>
      )}
    </>
  );
}

function Row({
  appointment,
  note,
  now,
  timeZone,
}: {
  appointment: AppointmentView;
  note?: ReactNode;
  now: number;
  timeZone: string;
}) {
  return (
    <AppointmentRow
      appointment={appointment}
      note={note}
      now={now}
      timeZone={timeZone}
      parts={appointmentParts}
    >
      <SessionLink appointment={appointment} timeZone={timeZone} size="compact" />
      {appointment.provider.takesMessages && <MessageLink {...appointment.provider} size="compact" />}
    </AppointmentRow>
  );
}

const titles: Readonly<Record<Frequency, (input: { name: string; count: number }) => string>> = {
  weekly: m.sessions_series_weekly,
  biweekly: m.sessions_series_biweekly,
  other: m.sessions_series_other,
};

function Series({
  sessions,
  now,
  timeZone,
}: {
  sessions: readonly [AppointmentView, ...AppointmentView[]];
  now: number;
  timeZone: string;
}) {
  const [{ provider, startsAt, service }] = sessions;
  const open = sessions.find(({ actions }) => actions.includes('cancel'));
  const waiting = sessions.find(({ status }) => status === 'pending');
  return (
    <>
      <details className="group">
        <summary className="flex min-h-18 list-none items-center gap-3 rounded-card px-4 py-3 hover:bg-sunken sm:px-5 [&::-webkit-details-marker]:hidden">
          <div className="min-w-0 flex-1 pr-24 sm:pr-30">
            <h3 className="font-sans text-base font-semibold break-words">
              {titles[frequencyOf(sessions)]({ name: provider.name, count: sessions.length })}
            </h3>
            <p className="flex flex-wrap gap-x-2 text-sm text-quiet">
              {m.sessions_series_next({
                service: service.title,
                date: nearDayText(startsAt, now, timeZone),
                time: timeText(startsAt, timeZone),
              })}
              {waiting && <StatusBadge appointment={waiting} party="client" />}
            </p>
          </div>
          <ChevronDown className="mt-3.5 size-5 shrink-0 self-start text-quiet transition-transform duration-150 group-open:rotate-180" />
        </summary>
        <ul className="divide-y divide-line border-t border-line bg-paper [li:last-child>details>&]:rounded-b-card">
          {sessions.map((one) => (
            <li key={one.id}>
              <Row appointment={one} now={now} timeZone={timeZone} />
            </li>
          ))}
        </ul>
      </details>
      <div className="absolute top-3.5 right-12 flex gap-1.5">
        {provider.takesMessages && <MessageLink {...provider} size="compact" />}
        {open && (
          <AppointmentActions
            appointment={open}
            timeZone={timeZone}
            parts={appointmentParts}
            compact
            series
          />
        )}
      </div>
    </>
  );
}
