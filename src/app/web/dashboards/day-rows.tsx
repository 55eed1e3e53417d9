import { useState } from 'react';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { DayRow } from './day-row.tsx';

const page = 5;

/** A provider's sessions. `dated` lists several days, and begins with the first few. */
export function DayRows({
  appointments,
  timeZone,
  now,
  dated = false,
}: {
  appointments: readonly AppointmentView[];
  timeZone: string;
  now: number;
  dated?: boolean;
}) {
  const [pressed, setPressed] = useState(page);
  const shown = dated ? pressed : appointments.length;
  return (
    <>
      <Card className="p-0!">
        <ul className="divide-y divide-line">
          {appointments.slice(0, shown).map(
            (appointment) =>
              appointment.client && (
                <li key={appointment.id}>
                  <DayRow
                    appointment={appointment}
                    client={appointment.client}
                    timeZone={timeZone}
                    now={now}
                    dated={dated}
                  />
                </li>
              ),
          )}
        </ul>
      </Card>
      {appointments.length > shown && (
        <Button variant="secondary" className="mt-3" onClick={() => setPressed(pressed + page)}>
          {m.home_show_more()}
        </Button>
      )}
    </>
  );
}

export function DayRowsSkeleton() {
  return (
    <Card className="divide-y divide-line p-0!">
      {Array.from({ length: 3 }, (_, index) => (
        <div key={index} className="flex items-center gap-4 px-4 py-2.5 max-sm:py-7">
          <Skeleton className="h-5 w-16" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="h-4 w-3/5" />
          </div>
          <Skeleton className="h-11 w-28" />
        </div>
      ))}
    </Card>
  );
}
