import { useState, type ReactNode } from 'react';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { mentionsSelfHarm } from '#/kernel/self-harm.ts';
import { holdsTime } from '#/features/appointments/appointment/rules.ts';
import { AppointmentCard } from '#/features/appointments/ui/appointment-card.tsx';
import { reasonText, sessionTitle, sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { StatusBadge } from '#/features/appointments/ui/status-badge.tsx';
import { timeText, weekdayDateText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { appointmentParts } from '../appointment-parts.ts';
import { MessageLink } from '#/features/messaging/ui/send-message.tsx';
import { SessionLink } from '#/features/video/ui/session-link.tsx';

const page = 5;

export function AppointmentList({
  appointments,
  timeZone,
  all = false,
}: {
  appointments: readonly AppointmentView[];
  timeZone: string;
  all?: boolean;
}) {
  const [pressed, setPressed] = useState(page);
  const shown = all ? appointments.length : pressed;
  return (
    <>
      <ul className="grid gap-4">
        {appointments.slice(0, shown).map((appointment) => (
          <li key={appointment.id}>
            <AppointmentCard appointment={appointment} timeZone={timeZone} parts={appointmentParts}>
              <SessionLink appointment={appointment} timeZone={timeZone} />
              {appointment.provider.takesMessages && (appointment.client?.takesMessages ?? true) && (
                <MessageLink {...(appointment.client ?? appointment.provider)} />
              )}
            </AppointmentCard>
          </li>
        ))}
      </ul>
      {appointments.length > shown && (
        <Button variant="secondary" className="mt-4" onClick={() => setPressed(pressed + page)}>
          {m.home_show_more()}
        </Button>
      )}
    </>
  );
}

export function PastList({
  appointments,
  timeZone,
  marks,
  actions,
}: {
  appointments: readonly AppointmentView[];
  timeZone: string;
  marks?: (appointment: AppointmentView) => ReactNode;
  actions?: (appointment: AppointmentView) => ReactNode;
}) {
  return (
    <Card as="div" className="px-4! py-1! sm:px-5!">
      <ul className="divide-y divide-line">
        {appointments.map((one) => (
          <li
            key={one.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 sm:grid sm:grid-cols-[minmax(0,1fr)_auto]"
          >
            <div className="min-w-0 flex-1 basis-38 gap-x-3 sm:flex sm:flex-wrap">
              <p className="font-semibold">
                <time dateTime={one.startsAt}>
                  {weekdayDateText(one.startsAt, timeZone)}, {timeText(one.startsAt, timeZone)}
                </time>
              </p>
              <p className="break-words">{one.client?.name ?? one.provider.name}</p>
            </div>
            {actions && <div className="ml-auto flex items-center gap-1.5 sm:row-span-2">{actions(one)}</div>}
            <div className="col-start-1 flex basis-full flex-wrap items-center gap-x-2 gap-y-1 text-sm text-quiet">
              <span>
                {sessionTitle(one)} · {sessionTypeText(one.sessionType)}
              </span>
              {holdsTime(one.status) ? (
                // Past, but the outcome isn't recorded yet.
                <Badge>{m.sessions_over()}</Badge>
              ) : (
                <StatusBadge appointment={one} party={one.client ? 'provider' : 'client'} />
              )}
              {marks?.(one)}
            </div>
            <Reason appointment={one} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Cancellation reason. A client's home never repeats self-harm language, as with messages. */
function Reason({ appointment }: { appointment: AppointmentView }) {
  const reason = reasonText(appointment);
  if (!reason || (!appointment.client && mentionsSelfHarm(reason))) return null;
  return <p className="col-span-full basis-full text-sm text-quiet">{reason}</p>;
}

export function AppointmentListSkeleton({ count = 2 }: { count?: number }) {
  return (
    <div className="grid gap-4">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="rounded-card border border-line bg-card p-5 sm:p-6">
          <div className="flex gap-4">
            <Skeleton className="size-14 rounded-full" />
            <div className="flex-1 space-y-2.5">
              <Skeleton className="h-5 w-2/5" />
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="h-4 w-1/3" />
            </div>
          </div>
          <Skeleton className="mt-5 h-11 w-40" />
        </div>
      ))}
    </div>
  );
}
