import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider, api } from '#/web/api.tsx';
import { Container } from '#/web/components/page.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import type { Invitation } from '#/features/attendees/contract.ts';
import { Button } from '#/web/components/button.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { isMissing } from '../load-errors.ts';
import { useKeptToken } from '../link-token.tsx';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';
import { LinkClosed } from '../link-closed.tsx';
import { InvitationOpen } from '../invitation/invitation-open.tsx';

export const headers = noReferrer;

export const meta = unlisted(m.invitation_page_title);

export default function InvitationPage() {
  const viewer = useViewer();
  const { token, forget } = useKeptToken('italk.invitation');
  return (
    <Container className="py-10 sm:py-16">
      {token === null ? (
        <Loading>
          <Skeleton className="mx-auto h-72 max-w-reading" />
        </Loading>
      ) : (
        // A different viewer needs a fresh query cache.
        <DataProvider key={`${token} ${viewer?.id}`}>
          <InvitationScreen token={token} onClosed={forget} />
        </DataProvider>
      )}
    </Container>
  );
}

function InvitationScreen({ token, onClosed }: { token: string; onClosed: () => void }) {
  const queries = useQueryClient();
  const options = api.attendees.invitation.queryOptions({ input: { token } });
  const query = useQuery({
    ...options,
    enabled: token !== '',
  });
  const missing = token === '' || isMissing(query.error);
  const container = useRef<HTMLDivElement>(null);
  const state = missing ? 'unknown' : query.data?.state;
  const before = useRef(state);
  useEffect(() => {
    // Focuses the heading: screen readers announce the result, and Tab continues there.
    if (before.current !== undefined && state !== undefined && before.current !== state)
      container.current?.querySelector('h1')?.focus();
    before.current = state;
  }, [state]);
  const closed = state !== undefined && state !== 'open';
  useEffect(() => {
    if (closed) onClosed();
  }, [closed, onClosed]);
  if (missing) return <InvitationClosed state={token === '' ? 'no_link' : 'unknown'} />;
  return (
    <div ref={container}>
      <Fetched
        query={query}
        skeleton={<Skeleton className="mx-auto h-72 max-w-reading" />}
        failure={m.web_did_not_work()}
      >
        {({ state: now, session }) =>
          session && (now === 'open' || now === 'accepted') ? (
            <InvitationOpen
              token={token}
              session={session}
              accepted={now === 'accepted'}
              onAnswer={(answered) =>
                answered
                  ? queries.setQueryData(options.queryKey, answered)
                  : void queries.invalidateQueries({ queryKey: options.queryKey })
              }
            />
          ) : (
            <InvitationClosed state={now === 'open' || now === 'accepted' ? 'unknown' : now} />
          )
        }
      </Fetched>
    </div>
  );
}

type Closed = Exclude<Invitation['state'], 'open' | 'accepted'> | 'unknown' | 'no_link';

const words: Readonly<Record<Closed, { title: () => string; text: () => string }>> = {
  own: { title: m.invitation_own_title, text: m.invitation_own_text },
  used: { title: m.invitation_used_title, text: m.invitation_used_text },
  declined: { title: m.invitation_declined_title, text: m.invitation_declined_text },
  withdrawn: { title: m.invitation_withdrawn_title, text: m.invitation_withdrawn_text },
  left: { title: m.invitation_left_title, text: m.invitation_left_text },
  cancelled: { title: m.invitation_cancelled_title, text: m.invitation_cancelled_text },
  over: { title: m.video_over_title, text: m.invitation_over_text },
  no_link: { title: m.invitation_unknown_title, text: m.invitation_no_link_text },
  unknown: { title: m.invitation_unknown_title, text: m.invitation_unknown_text },
};

/** Explains the reason without revealing the session. */
function InvitationClosed({ state }: { state: Closed }) {
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
