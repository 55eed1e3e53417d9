import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useViewer, useSession } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider, api } from '#/web/api.tsx';
import { Container } from '#/web/components/page.tsx';
import { resetPasswordPath } from '#/features/accounts/rules.ts';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { callIdentity, identityFailures } from '#/features/accounts/ui/identity-call.ts';
import type { ClientInvitation } from '#/features/care/claims/contract.ts';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureCode, failureText, isRefusal } from '#/web/failures.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { useDisplayZone } from '#/web/own-zone.tsx';
import { shortDateText, timeText } from '#/web/times.ts';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';
import { LinkClosed } from '../link-closed.tsx';
import { focusHeading } from '../focus-heading.ts';
import { SessionFacts } from '../session-facts.tsx';

export const headers = noReferrer;

export const meta = unlisted(m.claim_page_title);

/** Linked in the invitation email to new clients. */
export default function ClaimPage() {
  const viewer = useViewer();
  return (
    <Container className="py-10 sm:py-16">
      {/* A different viewer needs a fresh query cache. */}
      <DataProvider key={viewer?.id}>
        <ClaimScreen />
      </DataProvider>
    </Container>
  );
}

const ways = {
  online: m.invitation_how_online,
  phone: m.therapists_type_phone,
  'in-person': m.booking_link_how_place_booked,
};

/** Sessions booked by a specialist for a client without an account, with sign-up. */
function ClaimScreen() {
  const queries = useQueryClient();
  // The URL's fragment never reaches the server.
  const { hash } = useLocation();
  const hydrated = useHydrated();
  const token = hydrated ? hash.slice(1) : '';
  const [declined, setDeclined] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const viewer = useViewer();
  const navigate = useNavigate();
  const query = useQuery({
    ...api.care.claims.read.queryOptions({ input: { token } }),
    enabled: token !== '' && !declined && !leaving,
    retry: false,
  });
  const expired = isGone(query.error) || (hydrated && token === '');
  if (declined) return <LinkClosed title={m.claim_declined_title()} text={m.claim_declined_text()} />;
  if (expired && !leaving)
    return (
      <LinkClosed title={m.claim_gone_title()} text={m.claim_gone_text()}>
        {!viewer && <SignIn onSignedIn={() => void navigate('/home')} />}
      </LinkClosed>
    );
  return (
    <div className="mx-auto max-w-reading">
      <Fetched query={query} failure={m.claim_failed()}>
        {(invitation) => (
          <Invited
            token={token}
            invitation={invitation}
            onLeave={setLeaving}
            onChanged={() => void queries.invalidateQueries({ queryKey: api.care.claims.key() })}
            onDeclined={() => {
              setDeclined(true);
              focusHeading();
            }}
          />
        )}
      </Fetched>
    </div>
  );
}

function Invited({
  token,
  invitation: { state, offer },
  onLeave,
  onChanged,
  onDeclined,
}: {
  token: string;
  invitation: ClientInvitation;
  /** Freezes the displayed invitation during sign-in. */
  onLeave: (leaving: boolean) => void;
  onChanged: () => void;
  onDeclined: () => void;
}) {
  const { title, text } = wordsOf(state, offer);
  return (
    <>
      <div className="flex items-center gap-8">
        <div className="min-w-0 flex-1">
          <h1 tabIndex={-1} className="text-2xl break-words sm:text-3xl">
            {title}
          </h1>
          <p className="mt-2 text-lg text-quiet">{text}</p>
        </div>
        <div aria-hidden className="w-44 shrink-0 max-sm:hidden">
          <TableIllustration />
        </div>
      </div>
      {offer && <Sessions offer={offer} />}
      <div className="mt-6 flex flex-wrap gap-3 max-sm:*:w-full">
        {state === 'open' && <Accept token={token} onLeave={onLeave} onChanged={onChanged} />}
        {state === 'sign_in' && <SignIn onSignedIn={focusHeading} />}
        {state === 'other' && <SignOut />}
        <Decline token={token} onDeclined={onDeclined} />
      </div>
      {offer?.signsIn && <p className="mt-4 text-sm text-quiet">{m.claim_account_hint()}</p>}
    </>
  );
}

function wordsOf(state: ClientInvitation['state'], offer: ClientInvitation['offer']) {
  if (state === 'sign_in') return { title: m.claim_sign_in_title(), text: m.claim_sign_in_text() };
  if (state === 'other') return { title: m.claim_other_title(), text: m.claim_other_text() };
  const name = offer?.provider.name ?? '';
  return offer && offer.sessions.length > 0
    ? { title: m.claim_title({ name }), text: m.claim_text() }
    : { title: m.claim_no_session_title({ name }), text: m.claim_no_session_text() };
}

function Sessions({ offer: { provider, sessions } }: { offer: NonNullable<ClientInvitation['offer']> }) {
  const known = useDisplayZone();
  const [next, ...others] = sessions;
  if (!next) return null;
  const timeZone = known ?? next.timeZone;
  return (
    <SessionFacts session={{ ...next, provider }} timeZone={timeZone} how={ways[next.sessionType]()}>
      {others.length > 0 && (
        <ul className="mt-2 text-sm text-quiet">
          {others.map(({ startsAt }) => (
            <li key={startsAt}>
              {m.web_date_time({
                date: shortDateText(startsAt, timeZone),
                time: timeText(startsAt, timeZone),
              })}
            </li>
          ))}
        </ul>
      )}
    </SessionFacts>
  );
}

function Accept({
  token,
  onLeave,
  onChanged,
}: {
  token: string;
  onLeave: (leaving: boolean) => void;
  onChanged: () => void;
}) {
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const { refresh } = useSession();
  const [failure, setFailure] = useState<string | null>(null);
  const accept = useMutation({
    mutationFn: async () => {
      onLeave(true);
      setFailure(null);
      const { signInToken } = await api.care.claims.accept.call({ token });
      if (signInToken === null) return '/home';
      const { resetToken } = await callIdentity('/sign-in/link', { token: signInToken });
      // Two-factor accounts choose a password first.
      if (resetToken !== undefined) return resetPasswordPath(resetToken);
      return '/home';
    },
    onSuccess: async (path) => {
      toast.done(m.claim_accepted());
      if (path === '/home') await refresh();
      await navigate(path, { replace: true });
    },
    onError: (error) => {
      onLeave(false);
      setFailure(acceptText(error));
      if (isRefusal(error)) onChanged();
    },
  });
  return (
    <>
      <FailureAlert className="w-full" text={failure} />
      <Button busy={accept.isPending} disabled={!hydrated} onClick={() => accept.mutate()}>
        {m.claim_accept()}
      </Button>
    </>
  );
}

function acceptText(error: unknown): string {
  return failureText(error, {
    ...identityFailures,
    unauthenticated: m.claim_sign_in_text,
    own_clash: m.claim_clash,
    forbidden: m.claim_not_client,
  });
}

function SignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const hydrated = useHydrated();
  const { requireAuth } = useAuthRequired();
  return (
    <Button disabled={!hydrated} onClick={() => requireAuth('other', onSignedIn)}>
      {m.claim_sign_in()}
    </Button>
  );
}

function SignOut() {
  const hydrated = useHydrated();
  const { signOut, leaving } = useSession();
  return (
    <Button busy={leaving} disabled={!hydrated} onClick={() => void signOut()}>
      {m.booking_link_log_out()}
    </Button>
  );
}

function Decline({ token, onDeclined }: { token: string; onDeclined: () => void }): ReactNode {
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" disabled={!hydrated} onClick={() => setOpen(true)}>
        {m.claim_decline()}
      </Button>
      <ConfirmAction
        open={open}
        act={() => api.care.claims.decline.call({ token })}
        onDone={() => {
          setOpen(false);
          onDeclined();
        }}
        failureText={failureText}
        onClose={() => setOpen(false)}
        title={m.claim_decline_title()}
        description={m.claim_decline_text()}
        confirmLabel={m.claim_decline()}
      />
    </>
  );
}

function isGone(error: unknown): boolean {
  return failureCode(error) === 'not_found';
}
