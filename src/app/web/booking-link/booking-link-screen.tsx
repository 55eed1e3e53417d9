import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { callIdentity, identityErrorText } from '#/features/accounts/ui/identity-call.ts';
import { useSession, useViewer } from '#/features/accounts/ui/session.tsx';
import type { bookingContract } from '#/features/booking/contract.ts';
import type { BookingRequest } from '#/features/booking/requests/contract.ts';
import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { readAnew } from '../read-anew.ts';
import { BookingLinkClosed } from './booking-link-closed.tsx';
import { BookingLinkSession } from './booking-link-session.tsx';

/** What came with the page, and to whom. */
interface Known {
  viewerId: string | null;
  request: BookingRequest | null;
}

/** What somebody asked for without an account, and the way from there into their account. */
export function BookingLinkScreen({ token, known }: { token: string; known: Known }) {
  const { viewer, refresh } = useSession();
  const navigate = useNavigate();
  const { toast } = useToast();
  // What is shown on the way from here, and to whom, whoever is signed in by then.
  const [leaving, setLeaving] = useState<{ viewerId: string | undefined; request: BookingRequest } | null>(
    null,
  );
  const [failure, setFailure] = useState<string | null>(null);
  const viewerId = viewer?.id;
  const before = useRef(viewerId);
  useEffect(() => {
    if (!leaving && before.current !== viewerId) readAnew();
    before.current = viewerId;
  }, [viewerId, leaving]);
  const enter = async (request: BookingRequest, signInToken: string | null) => {
    setLeaving({ viewerId, request });
    setFailure(null);
    try {
      if (signInToken !== null) {
        const { resetToken } = await callIdentity('/sign-in/link', { token: signInToken });
        if (resetToken !== undefined) {
          toast({
            title: m.booking_link_password_first(),
            description: m.booking_link_password_first_text(),
          });
          await navigate(`/reset-password?${new URLSearchParams({ token: resetToken, next: '/home' })}`);
          return;
        }
        await refresh();
      }
      await navigate('/home');
    } catch (error) {
      setLeaving(null);
      setFailure(identityErrorText(error));
    }
  };
  return (
    <>
      <RequestNow
        // Another person has another store, which is asked anew.
        key={`${leaving ? leaving.viewerId : viewerId}`}
        token={token}
        known={known}
        leaving={leaving?.request ?? null}
        onEnter={enter}
      />
      {failure && (
        <Notice
          tone="destructive"
          title={m.booking_link_not_signed_in()}
          className="mx-auto mt-6 max-w-reading"
        >
          {failure}
        </Notice>
      )}
    </>
  );
}

/** What the link leads to now, for whoever is signed in. */
function RequestNow({
  token,
  known,
  leaving,
  onEnter,
}: {
  token: string;
  known: Known;
  /** Shown in the place of what holds now. */
  leaving: BookingRequest | null;
  onEnter: (request: BookingRequest, signInToken: string | null) => Promise<void>;
}) {
  const api = useApi<{ booking: typeof bookingContract }>();
  const queries = useQueryClient();
  const viewer = useViewer();
  const same = (viewer?.id ?? null) === known.viewerId;
  const options = api.booking.requests.read.queryOptions({ input: { token } });
  const query = useQuery({
    ...options,
    enabled: !leaving && (!same || known.request !== null),
    ...(same && known.request ? { initialData: known.request } : {}),
  });
  const missing =
    !leaving &&
    (same ? known.request === null : query.error instanceof AppError && query.error.code === 'not_found');
  const place = useRef<HTMLDivElement>(null);
  const state = missing ? 'unknown' : (leaving ?? query.data)?.state;
  const before = useRef(state);
  useEffect(() => {
    // What came of a press is read out, and the next one begins from there.
    if (before.current !== undefined && state !== undefined && before.current !== state)
      place.current?.querySelector('h1')?.focus();
    before.current = state;
  }, [state]);
  const change = () => void queries.invalidateQueries({ queryKey: options.queryKey });
  if (missing) return <BookingLinkClosed state="unknown" />;
  return (
    <div ref={place}>
      <Fetched query={query} failure={m.booking_link_failed()}>
        {(now) => {
          const request = leaving ?? now;
          const { state: shown, signsIn, session } = request;
          if (shown === 'expired' || shown === 'over' || shown === 'off')
            return <BookingLinkClosed state={shown} />;
          if (!session) return null;
          return (
            <BookingLinkSession
              token={token}
              state={shown}
              signsIn={signsIn}
              session={session}
              onChanged={change}
              onEnter={async (signInToken) => {
                await onEnter(request, signInToken);
                change();
              }}
            />
          );
        }}
      </Fetched>
    </div>
  );
}
