import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import type { AgendaEntry } from '#/features/appointments/agenda/contract.ts';
import { AppointmentCard } from '#/features/appointments/ui/appointment-card.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ButtonLink } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { appointmentParts } from '../appointment-parts.ts';
import { live } from '../dashboards/live.ts';
import { MessageLink } from '#/features/messaging/ui/send-message.tsx';
import { SessionLink } from '#/features/video/ui/session-link.tsx';

export function AppointmentDialog({
  open,
  onOpenChange,
  entry,
  timeZone,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  entry: AgendaEntry;
  timeZone: string;
}) {
  const appointment = useQuery({
    ...api.appointments.get.queryOptions({ input: { appointmentId: entry.id } }),
    ...live,
    enabled: open,
  });
  const client = appointment.data?.client;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={m.web_session_with({ name: entry.clientName })}
      footer={
        client && (
          <ButtonLink to={`/clients/${client.id}`} variant="secondary">
            {m.schedule_client_page({ name: client.name })}
            <ArrowRight />
          </ButtonLink>
        )
      }
    >
      <Fetched
        query={appointment}
        failure={m.schedule_session_failed()}
        skeleton={<Skeleton className="h-64" />}
      >
        {(known) => (
          <AppointmentCard appointment={known} timeZone={timeZone} parts={appointmentParts}>
            <SessionLink appointment={known} timeZone={timeZone} />
            {known.client?.takesMessages && <MessageLink {...known.client} />}
          </AppointmentCard>
        )}
      </Fetched>
    </Dialog>
  );
}
