import { useId, type ReactNode } from 'react';
import { elsewhereText, nearDayText, timeText } from '#/web/times.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import { AppointmentActions } from './appointment-actions.tsx';
import type { AppointmentParts } from './parts.ts';
import { SessionPlace, sessionTypeIcons } from './session-place.tsx';
import { minutesText, reasonText, sessionTitle, sessionTypeText } from './session-texts.ts';
import { StatusBadge, statusText } from './status-badge.tsx';

/** A client’s upcoming appointment in a list. */
export function AppointmentRow({
  appointment,
  now,
  timeZone,
  parts,
  note,
  children,
}: {
  appointment: AppointmentView;
  /** Epoch milliseconds. */
  now: number;
  timeZone: string;
  parts: AppointmentParts;
  note?: ReactNode;
  children: ReactNode;
}) {
  const { provider, sessionType, startsAt, status } = appointment;
  const reason = reasonText(appointment);
  const elsewhere = elsewhereText(startsAt, timeZone, provider.timeZone);
  // Unique: a screen can show it twice.
  const titleId = useId();
  return (
    <article
      aria-labelledby={titleId}
      className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-3 sm:grid sm:grid-cols-[minmax(0,1fr)_auto] sm:px-5"
    >
      <div className="min-w-0 flex-1 basis-38 gap-x-3 sm:flex sm:flex-wrap sm:items-baseline">
        <p className="font-semibold">
          <time dateTime={startsAt}>
            {nearDayText(startsAt, now, timeZone)}, {timeText(startsAt, timeZone)}
          </time>
        </p>
        <h3 id={titleId} className="font-sans text-base leading-snug font-normal! break-words">
          {provider.name}
        </h3>
      </div>
      <div className="ml-auto flex items-center gap-1.5 sm:row-span-2">
        {children}
        <AppointmentActions appointment={appointment} timeZone={timeZone} parts={parts} compact />
      </div>
      <ul className="min-w-0 basis-full text-sm text-quiet">
        <li className="flex flex-wrap items-center gap-x-2 [&>svg]:size-4">
          {sessionTypeIcons[sessionType]}
          <span>
            {sessionTitle(appointment)} ·{' '}
            <span className="max-sm:sr-only">{sessionTypeText(sessionType)} · </span>
            {minutesText(appointment.durationMinutes)}
          </span>
          {status === 'confirmed' ? (
            <span className="sr-only">{statusText(status, 'client')}</span>
          ) : (
            <StatusBadge appointment={appointment} party="client" />
          )}
        </li>
        {sessionType !== 'online' && (
          <li>
            <SessionPlace appointment={appointment} />
          </li>
        )}
        {elsewhere && <li>{elsewhere}</li>}
        <parts.GuestLine appointment={appointment} />
        {note && <li>{note}</li>}
        {reason && <li>{reason}</li>}
      </ul>
    </article>
  );
}
