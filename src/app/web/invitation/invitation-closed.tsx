import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import type { Invitation } from '#/features/booking/guests/contract.ts';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';

type Closed = Exclude<Invitation['state'], 'open' | 'accepted'> | 'unknown';

const words: Readonly<Record<Closed, { title: () => string; text: () => string }>> = {
  own: { title: m.invitation_own_title, text: m.invitation_own_text },
  used: { title: m.invitation_used_title, text: m.invitation_used_text },
  declined: { title: m.invitation_declined_title, text: m.invitation_declined_text },
  withdrawn: { title: m.invitation_withdrawn_title, text: m.invitation_withdrawn_text },
  left: { title: m.invitation_left_title, text: m.invitation_left_text },
  cancelled: { title: m.invitation_cancelled_title, text: m.invitation_cancelled_text },
  over: { title: m.invitation_over_title, text: m.invitation_over_text },
  unknown: { title: m.invitation_unknown_title, text: m.invitation_unknown_text },
};

/** An invitation that can't be answered, and why; nothing of its session. */
export function InvitationClosed({ state }: { state: Closed }) {
  const viewer = useViewer();
  const hydrated = useHydrated();
  const { requireAuth } = useAuthRequired();
  const { title, text } = words[state];
  return (
    <Card className="mx-auto max-w-xl text-center">
      <div aria-hidden className="mx-auto mb-4 w-48">
        <PathIllustration />
      </div>
      <h1 tabIndex={-1} className="text-2xl outline-none">
        {title()}
      </h1>
      <p className="mt-2 text-quiet">{text()}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-3">
        {viewer ? (
          <ButtonLink to="/home" variant="secondary">
            {m.invitation_to_home()}
          </ButtonLink>
        ) : (
          <>
            {state === 'used' && (
              <Button disabled={!hydrated} onClick={() => requireAuth('other', () => undefined)}>
                {m.invitation_sign_in_other()}
              </Button>
            )}
            <ButtonLink to="/" variant="secondary">
              {m.invitation_home()}
            </ButtonLink>
          </>
        )}
      </div>
    </Card>
  );
}
