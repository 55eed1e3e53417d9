import type { ReactNode } from 'react';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { mentionsSelfHarm } from '#/kernel/self-harm.ts';
import { holdsTime } from '#/features/appointments/appointment/rules.ts';
import { reasonText, sessionTitle, sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { StatusBadge } from '#/features/appointments/ui/status-badge.tsx';
import { timeText, weekdayDateText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';

export function PastList({
  appointments,
  timeZone,
  ofClient = false,
  marks,
  actions,
}: {
  appointments: readonly AppointmentView[];
  timeZone: string;
  /** On the client's own page, whose name it doesn't repeat. */
  ofClient?: boolean;
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
              {!ofClient && <p className="break-words">{one.client?.name ?? one.provider.name}</p>}
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
