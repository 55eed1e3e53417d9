import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import { minutesText, sessionTitle, sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { MessageLink } from '#/features/messaging/ui/send-message.tsx';
import { SessionLink, SessionNote } from '#/features/video/ui/session-link.tsx';
import { WaitingLine } from '#/features/video/ui/waiting-line.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Avatar } from '#/web/components/avatar.tsx';
import { Card } from '#/web/components/card.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { dateIn, plainDateText, timeText } from '#/web/times.ts';
import { comingSpan, daySpan } from './days.ts';
import { live } from './live.ts';
import { NoteLink } from './note-link.tsx';

/** The current or next session, from lists the page already loads. */
export function NextSession({ opened, now, timeZone }: { opened: number; now: number; timeZone: string }) {
  const id = useId();
  const today = dateIn(now, timeZone);
  const ofToday = useQuery({ ...api.appointments.mine.queryOptions({ input: daySpan(today) }), ...live });
  const coming = useQuery({ ...api.appointments.mine.queryOptions({ input: comingSpan(opened) }), ...live });
  if (ofToday.isPending || coming.isPending) return <NextSessionSkeleton />;
  const next = [...(ofToday.data ?? []), ...(coming.data ?? [])].find(
    ({ status, endsAt }) => status === 'confirmed' && Date.parse(endsAt) > now,
  );
  if (!next?.client) return null;
  const { client, startsAt, endsAt } = next;
  const date = dateIn(startsAt, timeZone);
  return (
    <Card as="section" aria-labelledby={id} className="px-4! py-4! sm:px-5!">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Avatar id={client.id} name={client.name} src={client.photoUrl} className="max-sm:size-10!" />
        <div className="min-w-0 flex-1 basis-52">
          <h2 id={id} className="font-sans text-sm text-primary">
            {Date.parse(startsAt) <= now ? m.booking_now() : m.care_clients_order_next()}
          </h2>
          <p className="text-lg leading-snug font-semibold wrap-anywhere">
            <Link to={`/clients/${client.id}`} className="py-3 hover:underline">
              {client.name}
            </Link>
          </p>
          <p className="text-sm text-quiet">
            <time dateTime={startsAt} className="font-semibold text-ink tabular-nums max-sm:block">
              {date !== today && `${plainDateText(date)}, `}
              {timeText(startsAt, timeZone)} – {timeText(endsAt, timeZone)}
            </time>
            <span className="max-sm:hidden"> · </span>
            {sessionTitle(next)} · {sessionTypeText(next.sessionType)} · {minutesText(next.durationMinutes)}
          </p>
          <SessionNote appointment={next} timeZone={timeZone} />
          <WaitingLine appointment={next} />
        </div>
        <div className="flex flex-wrap items-center gap-2 max-sm:basis-full max-sm:[&_a]:px-3 max-sm:[&_a_svg]:hidden">
          <SessionLink appointment={next} timeZone={timeZone} size="sm" />
          {next.provider.takesMessages && client.takesMessages && <MessageLink {...client} size="sm" />}
          <NoteLink client={client} appointmentId={next.id} />
        </div>
      </div>
    </Card>
  );
}

export function NextSessionSkeleton() {
  return <Skeleton className="h-48 sm:h-25" />;
}
