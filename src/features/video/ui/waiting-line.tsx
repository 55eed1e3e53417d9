import { useQuery } from '@tanstack/react-query';
import { useSite } from '#/features/accounts/ui/session.tsx';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { useNow } from '#/web/now.ts';
import { roomHours } from '../rules.ts';
import { callersOf } from './waiting-callers.tsx';

/** Milliseconds; providers outside aren't told of arrivals. */
const pollInterval = 10_000;

/** Shows who waits in the room. */
export function WaitingLine({ appointment }: { appointment: AppointmentView }) {
  const now = useNow();
  const { flags } = useSite();
  const { id, sessionType, status, startsAt, endsAt } = appointment;
  const { opens, closes } = roomHours({ start: Date.parse(startsAt), end: Date.parse(endsAt) });
  const open = now !== null && now >= opens && now < closes;
  const { data: room } = useQuery({
    ...api.video.room.queryOptions({ input: { appointmentId: id } }),
    enabled: open && status === 'confirmed' && sessionType === 'online' && flags.includes('video_sessions'),
    refetchInterval: pollInterval,
  });
  const callers = callersOf(room);
  return (
    <div role="status" className="text-sm font-semibold text-sage">
      {callers.map(({ personId, name }) => (
        <p key={personId}>{m.video_is_waiting({ name })}</p>
      ))}
    </div>
  );
}
