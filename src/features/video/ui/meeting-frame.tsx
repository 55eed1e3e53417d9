import { useQuery } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSite } from '#/features/accounts/ui/session.tsx';
import type { bookingContract } from '#/features/booking/contract.ts';
import { SessionFileButton } from '#/features/booking/ui/guest-calendar.tsx';
import { dateText, timeText, zoneText } from '#/features/booking/ui/times.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import type { SessionPage } from '../contract.ts';

/** The page of a session that is held without a room: when, how the two meet, and what helps with it. */
export function MeetingFrame({
  page,
  title,
  illustration,
  afterwards,
  children,
}: {
  page: SessionPage;
  title: string;
  illustration: ReactNode;
  /** What the provider can do once the session has begun. */
  afterwards?: ReactNode;
  children: ReactNode;
}) {
  const { appointmentId, part, service, startsAt, endsAt, timeZone, others, refusal } = page;
  const over = isOver(page);
  return (
    <div className="mx-auto w-full max-w-reading">
      <div className="flex items-center gap-6">
        <div className="min-w-0 flex-1">
          <h1 className="text-2xl sm:text-3xl">{title}</h1>
          <p className="mt-1.5 text-lg">{service}</p>
          <p className="mt-1 text-quiet">
            <time dateTime={startsAt}>
              {m.video_when({
                date: dateText(startsAt, timeZone),
                start: timeText(startsAt, timeZone),
                end: timeText(endsAt, timeZone),
                zone: zoneText(timeZone),
              })}
            </time>
          </p>
          {others.length > 1 && (
            <p className="mt-1 text-quiet">{m.video_meet_with({ names: namesText(others) })}</p>
          )}
        </div>
        <div aria-hidden className="w-40 shrink-0 max-sm:hidden">
          {illustration}
        </div>
      </div>
      {over ? (
        <Card className="mt-6">
          <p className="font-serif text-xl font-semibold">{m.video_meet_over()}</p>
          <p className="mt-1.5 text-quiet">
            {part === 'provider' ? m.video_meet_over_own() : m.video_meet_over_text()}
          </p>
        </Card>
      ) : (
        children
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {afterwards}
        {!over && refusal !== 'cancelled' && (
          <SessionFileButton appointmentId={appointmentId} guest={part === 'guest'} />
        )}
        <WriteLink page={page} />
      </div>
    </div>
  );
}

/** Whether a session has ended, by the clock or by its provider. */
export function isOver({ refusal }: SessionPage): boolean {
  return refusal === 'over' || refusal === 'ended';
}

/** Leads to a message to the other party; who was invited writes to neither. */
function WriteLink({ page: { appointmentId, part, provider, others } }: { page: SessionPage }) {
  const api = useApi<{ booking: typeof bookingContract }>();
  const { flags } = useSite();
  const own = part === 'provider';
  const appointment = useQuery({
    ...api.booking.get.queryOptions({ input: { appointmentId } }),
    enabled: own,
    networkMode: 'always',
  });
  const to = own ? appointment.data?.client?.id : provider.id;
  if (part === 'guest' || !to || !flags.includes('direct_messaging')) return null;
  const name = own ? (others.find((other) => other.part === 'client')?.name ?? '') : provider.name;
  return (
    <ButtonLink to={`/messages/new?to=${to}`} variant="secondary">
      <MessageCircle aria-hidden />
      <span>
        {m.video_meet_write()}
        <VisuallyHidden> {m.video_meet_write_to({ name })}</VisuallyHidden>
      </span>
    </ButtonLink>
  );
}

function namesText(people: readonly { name: string }[]): string {
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(people.map(({ name }) => name));
}
