import { CalendarDays, MapPin, User } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import type { AppointmentView } from '../appointment/contract.ts';
import type { BookingParts } from './parts.ts';
import { SessionTimes } from './session-times.tsx';
import { SessionKeeping } from './session-keeping.tsx';
import { locationText, minutesText, sessionTypeText } from './session-texts.ts';
import { shortDateText, timeText } from '#/web/times.ts';

export function ConfirmedDialog({
  open,
  onOpenChange,
  appointments,
  zone,
  parts: { BringOthers },
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  appointments: readonly AppointmentView[];
  /** The client's time zone. */
  zone: string;
  parts: Pick<BookingParts, 'BringOthers'>;
}) {
  const [first, ...later] = appointments;
  if (!first) return null;
  const waiting = first.status === 'pending';
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={waiting ? m.booking_waiting() : m.booking_confirmed_title()}
      description={
        waiting ? m.booking_waiting_text({ name: first.provider.name }) : m.booking_confirmed_text()
      }
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{m.booking_confirmed_close()}</Button>
        </>
      }
    >
      <div className="rounded-control bg-sunken px-4 py-3.5">
        <h3 className="font-serif text-lg font-semibold">
          {m.calendar_title({ service: first.service.title })}
        </h3>
        <dl className="mt-2 grid gap-2.5">
          <Fact icon={<CalendarDays />} name={m.booking_when()}>
            <SessionTimes appointment={first} timeZone={zone} />
            {later.map((appointment) => (
              <span key={appointment.id} className="block">
                <time dateTime={appointment.startsAt}>
                  {m.web_date_time({
                    date: shortDateText(appointment.startsAt, zone),
                    time: timeText(appointment.startsAt, zone),
                  })}
                </time>
              </span>
            ))}
          </Fact>
          <Fact icon={<MapPin />} name={m.booking_where()}>
            {locationText(first)}
            <span className="block text-sm text-quiet">
              {sessionTypeText(first.sessionType)} · {minutesText(first.durationMinutes)}
            </span>
          </Fact>
          <Fact icon={<User />} name={m.booking_specialist()}>
            {first.provider.name}
            <span className="block text-sm text-quiet">{first.provider.title}</span>
          </Fact>
        </dl>
        {later.length > 0 && (
          <Badge tone="primary" className="mt-3">
            {m.booking_sessions_count({ count: appointments.length })}
          </Badge>
        )}
      </div>
      <BringOthers appointment={first} />
      <div className="mt-6">
        <SessionKeeping sessions={[first, ...later]} />
      </div>
    </Dialog>
  );
}

function Fact({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3">
      <dt className="mt-0.5 shrink-0 text-primary [&_svg]:size-5">
        {icon}
        <span className="sr-only">{name}</span>
      </dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
