import { DoorOpen, Video } from 'lucide-react';
import { useSite } from '#/features/accounts/ui/session.tsx';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { shortDateText, timeText } from '#/web/times.ts';
import { roomHours } from '../rules.ts';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { useNow } from '#/web/now.ts';

interface Of {
  appointment: AppointmentView;
  timeZone: string;
}

/** Whether the session’s room is open, and when it opens (epoch milliseconds); null if it won’t. */
function useRoom({ startsAt, endsAt, status }: AppointmentView) {
  const now = useNow();
  const { opens, closes } = roomHours({ start: Date.parse(startsAt), end: Date.parse(endsAt) });
  if (now === null || status !== 'confirmed' || now >= closes) return null;
  return { opens, isOpen: now >= opens };
}

/** Opens the session, or joins it by video. */
export function SessionLink({
  size = 'md',
  className,
  ...of
}: Of & {
  /** All but `md` leave out the note. */
  size?: 'sm' | 'md' | 'compact';
  className?: string;
}) {
  const { appointment } = of;
  const { flags } = useSite();
  const room = useRoom(appointment);
  const online = appointment.sessionType === 'online';
  if (!room) return null;
  const note = size === 'md' && <SessionNote {...of} />;
  if (online && !flags.includes('video_sessions')) return note;
  return (
    <>
      <ButtonLink
        to={`/session/${appointment.id}`}
        variant={online && room.isOpen ? 'primary' : 'secondary'}
        size={size}
        className={className}
      >
        {online ? <Video aria-hidden /> : <DoorOpen aria-hidden />}
        <span>
          {online ? m.video_join() : m.video_open_session()}{' '}
          <VisuallyHidden>
            {online ? m.video_session_with(otherOf(appointment)) : m.web_with_name(otherOf(appointment))}
          </VisuallyHidden>
        </span>
      </ButtonLink>
      {note}
    </>
  );
}

/** Says when a video session opens, or that video is unavailable. */
export function SessionNote({ appointment, timeZone }: Of) {
  const { flags } = useSite();
  const room = useRoom(appointment);
  if (!room || appointment.sessionType !== 'online') return null;
  if (!flags.includes('video_sessions'))
    return <p className="text-sm text-quiet">{m.video_off_session(otherOf(appointment))}</p>;
  if (room.isOpen) return null;
  const at = new Date(room.opens).toISOString();
  return (
    <p className="text-sm order-last basis-full text-quiet">
      {m.video_join_from({ date: shortDateText(at, timeZone), time: timeText(at, timeZone) })}
    </p>
  );
}

function otherOf({ client, provider }: AppointmentView): { name: string } {
  return { name: (client ?? provider).name };
}
