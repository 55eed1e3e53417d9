import { DoorOpen, Video } from 'lucide-react';
import { useSite } from '#/features/accounts/ui/session.tsx';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { shortDateText, timeText } from '#/web/times.ts';
import { roomHours } from '../rules.ts';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { useNow } from '#/web/now.ts';

export function SessionLink({
  appointment,
  timeZone,
  compact = false,
  className,
}: {
  appointment: AppointmentView;
  timeZone: string;
  /** Leaves out when the room opens. */
  compact?: boolean;
  className?: string;
}) {
  const now = useNow();
  const { flags } = useSite();
  const { id, client, provider, sessionType, startsAt, endsAt, status } = appointment;
  const online = sessionType === 'online';
  const { opens, closes } = roomHours({ start: Date.parse(startsAt), end: Date.parse(endsAt) });
  if (now === null || status !== 'confirmed' || now >= closes) return null;
  if (online && !flags.includes('video_sessions'))
    return <p className="text-sm text-quiet">{m.video_off_session({ name: (client ?? provider).name })}</p>;
  const open = now >= opens;
  const at = new Date(opens).toISOString();
  return (
    <>
      <ButtonLink
        to={`/session/${id}`}
        variant={online && open ? 'primary' : 'secondary'}
        size={compact ? 'compact' : 'md'}
        className={className}
      >
        {online ? <Video aria-hidden /> : <DoorOpen aria-hidden />}
        <span>
          {online ? m.video_join() : m.video_open_session()}
          <VisuallyHidden> {m.video_session_with({ name: (client ?? provider).name })}</VisuallyHidden>
        </span>
      </ButtonLink>
      {online && !open && !compact && (
        <span className="text-sm text-quiet max-sm:order-last max-sm:basis-full">
          {m.video_join_from({
            date: shortDateText(at, timeZone),
            time: timeText(at, timeZone),
          })}
        </span>
      )}
    </>
  );
}
