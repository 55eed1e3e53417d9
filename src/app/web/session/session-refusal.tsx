import { useEffect, useState, type ReactNode } from 'react';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { SessionFileButton } from '#/features/attendees/ui/guest-calendar.tsx';
import { dateText, timeText, zoneText } from '#/web/times.ts';
import type { RoomPart, RoomRefusal, SessionPage } from '#/features/video/contract.ts';
import { namesOf } from '#/features/video/ui/session-people.ts';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { CompleteButton } from './complete-button.tsx';

/** Milliseconds before opening when clients are told to wait on the page. */
const soon = 60 * 60_000;

export function SessionRefusal({ page }: { page: SessionPage }) {
  const { refusal, part, provider, completable, appointmentId } = page;
  const left = useTimeUntil(page.opensAt);
  if (refusal === null) return null;
  const { title, text } = words(refusal, page);
  const { to, name } = ways[part];
  const sessions = (
    <ButtonLink to={to} variant="secondary">
      {name()}
    </ButtonLink>
  );
  const again = part === 'client' && <BookAgain providerId={provider.id} />;
  const actions: Readonly<Record<RoomRefusal, ReactNode>> = {
    early: (
      <>
        {left !== null && left > soon && (
          <SessionFileButton appointmentId={appointmentId} guest={part === 'guest'} />
        )}
        {sessions}
      </>
    ),
    over: (
      <>
        {completable ? <CompleteButton appointmentId={appointmentId} /> : again}
        {sessions}
      </>
    ),
    cancelled: (
      <>
        {again}
        {sessions}
      </>
    ),
    unconfirmed: sessions,
    ended: (
      <>
        {completable && <CompleteButton appointmentId={appointmentId} />}
        {again}
        {sessions}
      </>
    ),
    consent_missing: sessions,
  };
  return (
    <Card className="mx-auto max-w-reading">
      <EmptyState
        as="h1"
        illustration={refusal === 'early' ? <WindowIllustration /> : <PathIllustration />}
        title={title}
        action={actions[refusal]}
      >
        <p>{text}</p>
        {refusal === 'early' && (
          <>
            <p role="timer" className="mt-4 min-h-7 font-serif text-lg font-semibold text-ink">
              {left !== null && leftText(left)}
            </p>
            {left !== null && left <= soon && <p>{m.video_early_stay()}</p>}
          </>
        )}
        <SessionWhen page={page} />
      </EmptyState>
    </Card>
  );
}

const ways: Readonly<Record<RoomPart, { to: string; name: () => string }>> = {
  provider: { to: '/schedule', name: m.video_to_schedule },
  client: { to: '/profile?tab=sessions', name: m.video_to_sessions },
  guest: { to: '/home', name: m.video_to_home },
};

function words(
  refusal: RoomRefusal,
  { part, provider, opensAt, timeZone }: SessionPage,
): { title: string; text: string } {
  const own = part === 'provider';
  const { name } = provider;
  switch (refusal) {
    case 'early':
      return {
        title: m.video_early_title(),
        text: m.video_early_text({
          time: timeText(opensAt, timeZone),
          date: dateText(opensAt, timeZone),
          zone: zoneText(timeZone),
        }),
      };
    case 'over':
      return { title: m.video_over_title(), text: m.video_over_text() };
    case 'cancelled':
      return { title: m.video_cancelled_title(), text: m.video_cancelled_text() };
    case 'unconfirmed':
      return {
        title: m.video_unconfirmed_title(),
        text: own ? m.video_unconfirmed_own() : m.video_unconfirmed_text({ name }),
      };
    case 'ended':
      return {
        title: m.video_ended_title(),
        text: own ? m.video_ended_done() : m.video_ended_text({ name }),
      };
    case 'consent_missing':
      return { title: m.video_consent_title(), text: m.video_consent_text() };
  }
}

function BookAgain({ providerId }: { providerId: string }) {
  const { openBooking } = useBooking();
  return <Button onClick={() => openBooking({ providerId })}>{m.web_book_again()}</Button>;
}

/** Updated every second; null before hydration. */
function useTimeUntil(instant: string): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    const count = () => setLeft(Date.parse(instant) - Date.now());
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [instant]);
  return left;
}

function leftText(left: number): string {
  const minutes = Math.ceil(left / 60_000);
  if (minutes <= 1) return m.video_early_seconds();
  if (minutes < 60) return m.video_early_minutes({ count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return m.video_early_hours({ hours, minutes: minutes % 60 });
  const days = Math.floor(hours / 24);
  return m.video_early_days({ count: days });
}

function SessionWhen({ page }: { page: SessionPage }) {
  const { service, others, startsAt, endsAt, timeZone } = page;
  return (
    <p className="mt-4 text-balance text-quiet">
      <span className="block font-semibold text-ink">{service}</span>
      {others.length > 0 && <span className="block">{m.web_with_name({ name: namesOf(page) })}</span>}
      <time dateTime={startsAt}>
        {m.video_when({
          date: dateText(startsAt, timeZone),
          start: whole(timeText(startsAt, timeZone)),
          end: whole(timeText(endsAt, timeZone)),
          zone: zoneText(timeZone),
        })}
      </time>
    </p>
  );
}

/** Prevents line breaks inside a time. */
function whole(time: string): string {
  return time.replace(' ', '\u00a0');
}
