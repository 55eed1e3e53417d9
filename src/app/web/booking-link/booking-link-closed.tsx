import { useBooking } from '#/features/booking/ui/booking-launcher.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { LinkClosed } from '../link-closed.tsx';

type Closed = 'expired' | 'over' | 'off' | 'unknown';

const words: Readonly<Record<Closed, { title: () => string; text: () => string }>> = {
  expired: { title: m.booking_link_expired_title, text: m.booking_link_expired_text },
  over: { title: m.booking_link_over_title, text: m.booking_link_over_text },
  off: { title: m.booking_link_off_title, text: m.booking_link_off_text },
  unknown: { title: m.booking_link_unknown_title, text: m.booking_link_unknown_text },
};

/** A link that neither books nor leads to a session, why, and how to book all the same. */
export function BookingLinkClosed({ state }: { state: Closed }) {
  const hydrated = useHydrated();
  const { openBooking } = useBooking();
  const { title, text } = words[state];
  return (
    <LinkClosed title={title()} text={text()}>
      <Button disabled={!hydrated} onClick={() => openBooking()}>
        {m.booking_link_anew()}
      </Button>
    </LinkClosed>
  );
}
