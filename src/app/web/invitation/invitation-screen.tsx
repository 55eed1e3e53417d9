import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import type { Invitation } from '#/features/booking/guests/contract.ts';
import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { InvitationClosed } from './invitation-closed.tsx';
import { InvitationOpen } from './invitation-open.tsx';

/** An invitation as whoever holds its link finds it now; it changes with who is signed in. */
export function InvitationScreen({
  token,
  known,
}: {
  token: string;
  /** What came with the page, and to whom. */
  known: { viewerId: string | null; invitation: Invitation | null };
}) {
  const api = useApi();
  const queries = useQueryClient();
  const viewer = useViewer();
  const same = (viewer?.id ?? null) === known.viewerId;
  const options = api.guests.invitation.queryOptions({ input: { token } });
  const query = useQuery({
    ...options,
    enabled: !same || known.invitation !== null,
    ...(same && known.invitation ? { initialData: known.invitation } : {}),
  });
  const missing = same
    ? known.invitation === null
    : query.error instanceof AppError && query.error.code === 'not_found';
  const place = useRef<HTMLDivElement>(null);
  const state = missing ? 'unknown' : query.data?.state;
  const before = useRef(state);
  useEffect(() => {
    // What came of an answer is read out, and the next press begins from there.
    if (before.current !== undefined && state !== undefined && before.current !== state)
      place.current?.querySelector('h1')?.focus();
    before.current = state;
  }, [state]);
  if (missing) return <InvitationClosed state="unknown" />;
  return (
    <div ref={place}>
      <Fetched query={query} failure={m.invitation_failed()}>
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
