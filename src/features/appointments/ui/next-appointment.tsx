import { useId, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Card } from '#/web/components/card.tsx';
import { elsewhereText, nearDayText, timeText } from '#/web/times.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import { AppointmentActions } from './appointment-actions.tsx';
import type { AppointmentParts } from './parts.ts';
import { SessionPlace, sessionTypeIcons } from './session-place.tsx';
import { minutesText, reasonText, sessionTitle, sessionTypeText } from './session-texts.ts';
import { StatusBadge } from './status-badge.tsx';

/** A client’s next appointment. */
export function NextAppointment({
  appointment,
  now,
  timeZone,
  parts,
  children,
}: {
  appointment: AppointmentView;
  /** Epoch milliseconds. */
  now: number;
  timeZone: string;
  parts: AppointmentParts;
  children: ReactNode;
}) {
  const { provider, sessionType, startsAt } = appointment;
  const reason = reasonText(appointment);
  const titleId = useId();
  return (
    <Card as="article" aria-labelledby={titleId} className="max-sm:p-4!">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2 sm:gap-x-4">
        <Avatar
          id={provider.id}
          name={provider.name}
          src={provider.photoUrl}
          className="max-sm:size-12! max-sm:text-base!"
        />
        <div className="min-w-0 flex-1 basis-40">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 id={titleId} className="min-w-0 text-lg">
              {provider.name}
            </h3>
            <StatusBadge appointment={appointment} party="client" />
          </div>
          <p className="text-quiet">{sessionTitle(appointment)}</p>
        </div>
      </div>
      <p className="mt-4 font-serif text-2xl font-semibold">
        <time dateTime={startsAt}>
          {Date.parse(startsAt) <= now
            ? m.booking_now()
            : m.web_date_time({
                date: nearDayText(startsAt, now, timeZone),
                time: timeText(startsAt, timeZone),
              })}
        </time>
      </p>
      <p className="text-sm text-quiet">{elsewhereText(startsAt, timeZone, provider.timeZone)}</p>
      <ul className="mt-2">
        <li className="flex items-start gap-2.5 [&>svg]:mt-1 [&>svg]:size-4.5 [&>svg]:shrink-0 [&>svg]:text-quiet">
          {sessionTypeIcons[sessionType]}
          <span className="min-w-0">
            {sessionTypeText(sessionType)} · {minutesText(appointment.durationMinutes)}
            <SessionPlace appointment={appointment} />
          </span>
        </li>
        <parts.GuestLine appointment={appointment} />
      </ul>
      {reason && <p className="mt-3 rounded-control bg-sunken px-4 py-2.5 text-sm">{reason}</p>}
      <div className="mt-4 flex flex-wrap items-center gap-2 empty:hidden">
        {children}
        <AppointmentActions appointment={appointment} timeZone={timeZone} parts={parts} compact />
      </div>
    </Card>
  );
}
