import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { DataProvider, api } from '#/web/api.tsx';
import { Container } from '#/web/components/page.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { callIdentity, identityErrorText } from '#/features/accounts/ui/identity-call.ts';
import { resetPasswordPath } from '#/features/accounts/rules.ts';
import { useSession, useViewer } from '#/features/accounts/ui/session.tsx';
import type { BookingRequest } from '#/features/guest-booking/contract.ts';
import { Fetched } from '#/web/components/fetched.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { LinkClosed } from '#/app/web/link-closed.tsx';
import { isMissing } from '../load-errors.ts';
import { useLinkToken } from '../link-token.tsx';
import { unlisted } from '../page-meta.ts';
import { BookingLinkSession } from '../booking-link/booking-link-session.tsx';

export const meta = unlisted(m.booking_link_page_title);

/** Linked in the guest booking email. */
export default function BookingLink() {
  const token = useLinkToken();
  return (
    <Container className="py-10 sm:py-16">
      {token === null ? (
        <Loading>
          <Skeleton className="mx-auto h-72 max-w-reading" />
        </Loading>
      ) : (
        <DataProvider>
          <BookingLinkScreen key={token} token={token} />
        </DataProvider>
      )}
    </Container>
  );
}

function BookingLinkScreen({ token }: { token: string }) {
  const { viewer, refresh } = useSession();
  const navigate = useNavigate();
  // Freezes the displayed request while signing in, which changes the viewer.
  const [leaving, setLeaving] = useState<{ viewerId: string | undefined; request: BookingRequest } | null>(
    null,
  );
  const [failure, setFailure] = useState<string | null>(null);
  const viewerId = viewer?.id;
  const before = useRef(viewerId);
  // After signing in or out, focus moves to the heading.
  const focusHeading = useRef(false);
  useEffect(() => {
    if (!leaving && before.current !== viewerId) focusHeading.current = true;
    before.current = viewerId;
  }, [viewerId, leaving]);
  const takeHeadingFocus = useCallback(() => {
    const taken = focusHeading.current;
    focusHeading.current = false;
    return taken;
  }, []);
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
          await navigate(resetPasswordPath(resetToken));
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
        // A different viewer needs a fresh query cache.
        key={`${leaving ? leaving.viewerId : viewerId}`}
        token={token}
        takeHeadingFocus={takeHeadingFocus}
        leaving={leaving?.request ?? null}
        onEnter={enter}
      />
      <FailureAlert
        title={m.booking_link_not_signed_in()}
        className="mx-auto mt-6 max-w-reading"
        text={failure}
      />
    </>
  );
}

function RequestNow({
  token,
  takeHeadingFocus,
  leaving,
  onEnter,
}: {
  token: string;
  /** True once, if the heading should receive focus. */
  takeHeadingFocus: () => boolean;
  leaving: BookingRequest | null;
  onEnter: (request: BookingRequest, signInToken: string | null) => Promise<void>;
}) {
  const queries = useQueryClient();
  const options = api.guestBooking.read.queryOptions({ input: { token } });
  const query = useQuery({
    ...options,
    enabled: !leaving && token !== '',
  });
  const missing = !leaving && (token === '' || isMissing(query.error));
  const container = useRef<HTMLDivElement>(null);
  const state = missing ? 'unknown' : (leaving ?? query.data)?.state;
  const before = useRef(state);
  useEffect(() => {
    if (state === undefined) return;
    // Focuses the heading: screen readers announce the result, and Tab continues there.
    if (takeHeadingFocus() || (before.current !== undefined && before.current !== state))
      container.current?.querySelector('h1')?.focus();
    before.current = state;
  }, [state, takeHeadingFocus]);
  const change = () => void queries.invalidateQueries({ queryKey: options.queryKey });
  if (missing)
    return (
      <div ref={container}>
        <BookingLinkClosed state="unknown" />
      </div>
    );
  return (
    <div ref={container}>
      <Fetched
        query={leaving ? { ...query, data: leaving } : query}
        skeleton={<Skeleton className="mx-auto h-72 max-w-reading" />}
        failure={m.booking_link_failed()}
      >
        {(request) => {
          const { state: shown, signsIn, session } = request;
          if (shown === 'used' || shown === 'expired' || shown === 'off')
            return <BookingLinkClosed state={shown} />;
          if (!session) return null;
          return (
            <BookingLinkSession
              token={token}
              state={shown}
              signsIn={signsIn}
              session={session}
              onChanged={change}
              onEnter={(signInToken) => onEnter(request, signInToken)}
            />
          );
        }}
      </Fetched>
    </div>
  );
}

type Closed = 'used' | 'expired' | 'off' | 'unknown';

const words: Readonly<Record<Closed, { title: () => string; text: () => string }>> = {
  used: { title: m.booking_link_used_title, text: m.booking_link_used_text },
  expired: { title: m.booking_link_expired_title, text: m.booking_link_expired_text },
  off: { title: m.booking_link_off_title, text: m.booking_link_off_text },
  unknown: { title: m.booking_link_unknown_title, text: m.booking_link_unknown_text },
};

function BookingLinkClosed({ state }: { state: Closed }) {
  const hydrated = useHydrated();
  const viewer = useViewer();
  const { openBooking } = useBooking();
  const { title, text } = words[state];
  const isOwn = state === 'used' && viewer !== null;
  return (
    <LinkClosed title={title()} text={isOwn ? m.booking_link_used_text_own() : text()}>
      {state === 'used' ? (
        !viewer && <Return />
      ) : (
        <Button disabled={!hydrated} onClick={() => openBooking()}>
          {m.web_book_again()}
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
      <ButtonLink to="/sign-in-link">{m.reauthentication_mail_link()}</ButtonLink>
      <Button variant="secondary" disabled={!hydrated} onClick={() => requireAuth('other', () => undefined)}>
        {m.booking_link_sign_in()}
      </Button>
    </>
  );
}
