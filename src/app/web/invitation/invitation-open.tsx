import { Ear, HandHeart, MessageCircleOff, Scale, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { can } from '#/features/access/rules.ts';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import type { Invitation } from '#/features/attendees/contract.ts';
import { useDisplayZone } from '#/web/own-zone.tsx';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { focusHeading } from '#/app/web/focus-heading.ts';
import { SessionFacts } from '#/app/web/session-facts.tsx';
import { api } from '#/web/api.tsx';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { isRefusal } from '#/web/failures.ts';
import { AcceptForm } from './accept-form.tsx';
import { acceptFailureText } from './failure-text.ts';

type Session = NonNullable<Invitation['session']>;

const ways = {
  online: m.invitation_how_online,
  phone: m.therapists_type_phone,
  'in-person': m.invitation_how_place,
};

export function InvitationOpen({
  token,
  session,
  accepted,
  onAnswer,
}: {
  token: string;
  session: Session;
  accepted: boolean;
  /** Receives the updated invitation; null means refetch. */
  onAnswer: (answered: Invitation | null) => void;
}) {
  const viewer = useViewer();
  const timeZone = useDisplayZone() ?? session.timeZone;
  const { inviter, provider, moved, confirmed } = session;
  return (
    <div className="mx-auto max-w-reading">
      <div className="flex items-center gap-8">
        <div className="min-w-0 flex-1">
          <h1 tabIndex={-1} className="text-2xl break-words sm:text-3xl">
            {accepted ? m.invitation_accepted_title() : m.invitation_title({ name: inviter })}
          </h1>
          <p className="mt-2 text-lg text-quiet">
            {accepted
              ? m.invitation_accepted_text()
              : m.invitation_text({ provider: provider.name, title: provider.title })}
          </p>
        </div>
        <div aria-hidden className="w-44 shrink-0 max-sm:hidden">
          <TableIllustration />
        </div>
      </div>
      {moved && !accepted && <Notice title={m.invitation_moved()} className="mt-6" />}
      <SessionFacts session={session} timeZone={timeZone} how={ways[session.sessionType]()}>
        {!confirmed && <Badge tone="gold">{m.invitation_pending()}</Badge>}
      </SessionFacts>
      <Meaning />
      {accepted ? (
        <div className="mt-6 flex flex-wrap gap-3">
          {confirmed && (
            <ButtonLink to={`/session/${session.appointmentId}`}>{m.invitation_to_session()}</ButtonLink>
          )}
          <ButtonLink to="/home" variant="secondary">
            {m.invitation_to_home()}
          </ButtonLink>
        </div>
      ) : (
        <Answer token={token} session={session} viewer={viewer} timeZone={timeZone} onAnswer={onAnswer} />
      )}
    </div>
  );
}

function Meaning() {
  const points = [
    { icon: <Ear aria-hidden />, text: m.invitation_means_hear() },
    { icon: <MessageCircleOff aria-hidden />, text: m.invitation_means_keep() },
    { icon: <Scale aria-hidden />, text: m.invitation_means_law() },
    { icon: <EyeOff aria-hidden />, text: m.invitation_means_see() },
  ];
  return (
    <section aria-labelledby="means" className="mt-8">
      <h2 id="means" className="flex items-center gap-2.5 text-xl">
        <HandHeart aria-hidden className="size-6 shrink-0 text-sage" />
        {m.invitation_means_title()}
      </h2>
      <ul className="mt-3 grid gap-3">
        {points.map(({ icon, text }) => (
          <li
            key={text}
            className="flex items-start gap-3 [&>svg]:mt-1 [&>svg]:size-4.5 [&>svg]:shrink-0 [&>svg]:text-quiet"
          >
            {icon}
            <span className="min-w-0 flex-1">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Answer({
  token,
  session,
  viewer,
  timeZone,
  onAnswer,
}: {
  token: string;
  session: Session;
  viewer: Viewer | null;
  timeZone: string;
  onAnswer: (answered: Invitation | null) => void;
}) {
  const hydrated = useHydrated();
  const { requireAuth } = useAuthRequired();
  const able =
    viewer !== null &&
    (can(viewer.role, 'view_own_appointments') || can(viewer.role, 'manage_own_appointments'));
  const declining = <DeclineButton token={token} inviter={session.inviter} onAnswer={onAnswer} />;
  if (viewer && able) {
    return (
      <AcceptForm token={token} session={session} viewer={viewer} timeZone={timeZone} onAnswer={onAnswer}>
        {declining}
      </AcceptForm>
    );
  }
  return (
    <Card as="section" className="mt-8">
      <p>{viewer ? m.invitation_other_account() : m.invitation_sign_in_text()}</p>
      <div className="mt-4 flex flex-wrap gap-3 max-sm:*:w-full">
        {!viewer && (
          <Button disabled={!hydrated} onClick={() => requireAuth('other', () => focusHeading())}>
            {m.invitation_sign_in()}
          </Button>
        )}
        {declining}
      </div>
    </Card>
  );
}

function DeclineButton({
  token,
  inviter,
  onAnswer,
}: {
  token: string;
  inviter: string;
  onAnswer: (answered: Invitation | null) => void;
}) {
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" disabled={!hydrated} onClick={() => setOpen(true)}>
        {m.invitation_decline()}
      </Button>
      <ConfirmAction
        open={open}
        act={() => api.attendees.decline.call({ token })}
        onDone={(answered) => {
          setOpen(false);
          onAnswer(answered);
        }}
        onFailed={(error) => {
          if (isRefusal(error)) onAnswer(null);
        }}
        failureText={acceptFailureText}
        onClose={() => setOpen(false)}
        title={m.invitation_decline_title()}
        description={m.invitation_decline_text({ name: inviter })}
        confirmLabel={m.invitation_decline_confirm()}
        cancelLabel={m.invitation_decline_keep()}
      />
    </>
  );
}
