import { NotebookPen } from 'lucide-react';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';

type Client = NonNullable<AppointmentView['client']>;

/** Address of a new note about a session, on its client's page. */
export function noteTo(client: Client, appointmentId: string): string {
  return `/clients/${client.id}?about=${appointmentId}`;
}

export function NoteLink({
  client,
  appointmentId,
  size = 'sm',
}: {
  client: Client;
  appointmentId: string;
  size?: 'sm' | 'compact';
}) {
  return (
    <ButtonLink to={noteTo(client, appointmentId)} variant="secondary" size={size}>
      <NotebookPen aria-hidden />
      <span>
        {m.care_sessions_write_note()}
        <VisuallyHidden> {m.home_note_about({ name: client.name })}</VisuallyHidden>
      </span>
    </ButtonLink>
  );
}
