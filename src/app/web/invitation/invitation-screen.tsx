import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { isRefusal, retryUnanswered } from '#/web/failures.ts';
import { InvitationClosed } from './invitation-closed.tsx';
import { InvitationOpen } from './invitation-open.tsx';

export function InvitationScreen({ token, onClosed }: { token: string; onClosed: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const options = api.attendees.invitation.queryOptions({ input: { token } });
  const query = useQuery({
    ...options,
    enabled: token !== '',
    // Retrying can't fix an incomplete link.
    retry: retryUnanswered,
  });
  const missing =
    token === '' || (isRefusal(query.error) && ['not_found', 'invalid'].includes(query.error.code));
  const place = useRef<HTMLDivElement>(null);
  const state = missing ? 'unknown' : query.data?.state;
  const before = useRef(state);
  useEffect(() => {
    // Focuses the heading: screen readers announce the result, and Tab continues there.
    if (before.current !== undefined && state !== undefined && before.current !== state)
      place.current?.querySelector('h1')?.focus();
    before.current = state;
  }, [state]);
  const closed = state !== undefined && state !== 'open';
  useEffect(() => {
    if (closed) onClosed();
  }, [closed, onClosed]);
  if (missing) return <InvitationClosed state={token === '' ? 'no_link' : 'unknown'} />;
  return (
    <div ref={place}>
      <Fetched
        query={query}
        skeleton={<Skeleton className="mx-auto h-72 max-w-reading" />}
        failure={m.invitation_failed()}
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
