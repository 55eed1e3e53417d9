import type { ReactNode } from 'react';
import { NextAppointment } from '#/features/appointments/ui/next-appointment.tsx';
import { MessageLink } from '#/features/messaging/ui/send-message.tsx';
import { SessionLink } from '#/features/video/ui/session-link.tsx';
import { m } from '#/texts/messages.js';
import { Card, Section } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { appointmentParts } from '../appointment-parts.ts';
import { AppointmentListSkeleton } from './appointment-list.tsx';
import { isUpcoming, useUpcomingSessions, type Shown } from './own-sessions.tsx';
import { SessionRows } from './session-rows.tsx';

export interface Empty {
  title: string;
  text: string;
  action?: ReactNode;
}

/** The session that starts next, large. */
export function NextSession({ opened, now, timeZone, empty }: Shown & { empty: Empty }) {
  return (
    <Fetched
      query={useUpcomingSessions(opened)}
      failure={m.home_load_failed()}
      skeleton={<AppointmentListSkeleton count={1} />}
    >
      {(appointments) => {
        const next = appointments.find((one) => isUpcoming(one, now));
        if (!next) return <NothingAhead {...empty} />;
        return (
          <NextAppointment
            // Keeps its dialogs' state from moving on to another session.
            key={next.id}
            appointment={next}
            now={now}
            timeZone={timeZone}
            parts={appointmentParts}
          >
            <SessionLink appointment={next} timeZone={timeZone} className="max-sm:grow max-sm:px-4" />
            {next.provider.takesMessages && <MessageLink {...next.provider} size="sm" />}
          </NextAppointment>
        );
      }}
    </Fetched>
  );
}

/** The sessions after the next one. */
export function LaterSessions({ opened, now, timeZone }: Shown) {
  const [, ...later] = (useUpcomingSessions(opened).data ?? []).filter((one) => isUpcoming(one, now));
  if (later.length === 0) return null;
  return (
    <Section titleId="later" title={m.home_later()} titleClassName="mb-3 text-xl" focusable>
      <SessionRows appointments={later} now={now} timeZone={timeZone} />
    </Section>
  );
}

export function NothingAhead({ title, text, action }: Empty) {
  return (
    <Card className="py-3!">
      <EmptyState illustration={<TableIllustration />} title={title} action={action}>
        {text}
      </EmptyState>
    </Card>
  );
}
