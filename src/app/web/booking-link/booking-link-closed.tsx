import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { LinkClosed } from '../link-closed.tsx';

type Closed = 'used' | 'expired' | 'off' | 'unknown';

const words: Readonly<Record<Closed, { title: () => string; text: () => string }>> = {
  used: { title: m.booking_link_used_title, text: m.booking_link_used_text },
  expired: { title: m.booking_link_expired_title, text: m.booking_link_expired_text },
  off: { title: m.booking_link_off_title, text: m.booking_link_off_text },
  unknown: { title: m.booking_link_unknown_title, text: m.booking_link_unknown_text },
};

export function BookingLinkClosed({ state }: { state: Closed }) {
  const hydrated = useHydrated();
  const viewer = useViewer();
  const { openBooking } = useBooking();
  const { title, text } = words[state];
  return (
    <LinkClosed title={title()} text={text()}>
      {state === 'used' ? (
        !viewer && <Return />
      ) : (
        <Button disabled={!hydrated} onClick={() => openBooking()}>
          {m.booking_link_anew()}
        </Button>
      )}
    </LinkClosed>
  );
}

function Return() {
  const hydrated = useHydrated();
  const { requireAuth } = useAuthRequired();
  return (
    <>
      <ButtonLink to="/sign-in-link">{m.booking_link_mail_new()}</ButtonLink>
      <Button variant="secondary" disabled={!hydrated} onClick={() => requireAuth('other', () => undefined)}>
        {m.booking_link_sign_in()}
      </Button>
    </>
  );
}
