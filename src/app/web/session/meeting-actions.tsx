import { useQuery } from '@tanstack/react-query';
import { SessionFileButton } from '#/features/attendees/ui/guest-calendar.tsx';
import type { SessionPage } from '#/features/video/contract.ts';
import { isOver } from '#/features/video/ui/meeting-frame.tsx';
import { useApi } from '#/web/api.tsx';
import { MessageLink } from '#/features/messaging/ui/send-message.tsx';
import { CompleteButton } from './complete-button.tsx';

export function MeetingActions({ page }: { page: SessionPage }) {
  const { appointmentId, part, completable } = page;
  return (
    <>
      {completable && <CompleteButton appointmentId={appointmentId} />}
      {!isOver(page) && <SessionFileButton appointmentId={appointmentId} guest={part === 'guest'} />}
      {part === 'provider' && <WriteToClient page={page} />}
      {part === 'client' && page.provider.takesMessages && (
        <MessageLink id={page.provider.id} name={page.provider.name} />
      )}
    </>
  );
}

function WriteToClient({ page: { appointmentId, others } }: { page: SessionPage }) {
  const api = useApi();
  const appointment = useQuery({
    ...api.appointments.get.queryOptions({ input: { appointmentId } }),
    networkMode: 'always',
  });
  const id = appointment.data?.client?.id;
  if (!id) return null;
  return <MessageLink id={id} name={others.find(({ part }) => part === 'client')?.name ?? ''} />;
}
