import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import type { Invitation } from '#/features/attendees/contract.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { LinkClosed } from '../link-closed.tsx';

type Closed = Exclude<Invitation['state'], 'open' | 'accepted'> | 'unknown' | 'no_link';

const words: Readonly<Record<Closed, { title: () => string; text: () => string }>> = {
  own: { title: m.invitation_own_title, text: m.invitation_own_text },
  used: { title: m.invitation_used_title, text: m.invitation_used_text },
  declined: { title: m.invitation_declined_title, text: m.invitation_declined_text },
  withdrawn: { title: m.invitation_withdrawn_title, text: m.invitation_withdrawn_text },
  left: { title: m.invitation_left_title, text: m.invitation_left_text },
  cancelled: { title: m.invitation_cancelled_title, text: m.invitation_cancelled_text },
  over: { title: m.invitation_over_title, text: m.invitation_over_text },
  no_link: { title: m.invitation_unknown_title, text: m.invitation_no_link_text },
  unknown: { title: m.invitation_unknown_title, text: m.invitation_unknown_text },
};

/** Explains the reason without revealing the session. */
export function InvitationClosed({ state }: { state: Closed }) {
  const viewer = useViewer();
  const hydrated = useHydrated();
  const { requireAuth } = useAuthRequired();
  const { title, text } = words[state];
  return (
    <LinkClosed title={title()} text={text()}>
      {!viewer && state === 'used' && (
        <Button disabled={!hydrated} onClick={() => requireAuth('other', () => undefined)}>
          {m.invitation_sign_in_other()}
        </Button>
      )}
    </LinkClosed>
  );
}
