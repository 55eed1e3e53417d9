import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useSession, useSite } from '#/features/accounts/ui/session.tsx';
import type { BookingRequest } from '#/features/guest-booking/contract.ts';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { useDisplayZone } from '#/web/own-zone.tsx';
import { ProblemNotice } from '#/features/appointments/ui/problem-notice.tsx';
import { minutesText } from '#/features/appointments/ui/session-texts.ts';
import { priceText } from '#/features/catalogue/rules.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { SessionFacts } from '../session-facts.tsx';

type Session = NonNullable<BookingRequest['session']>;
type State = 'open' | 'sign_in' | 'other';

/** Request timeout in milliseconds. */
const patience = 20_000;

const ways = {
  online: m.invitation_how_online,
  phone: m.therapists_type_phone,
  'in-person': m.booking_link_how_place,
};

const words = {
  open: { title: m.booking_link_open_title, text: m.booking_link_open_text },
  sign_in: { title: m.booking_link_sign_in_title, text: m.booking_link_sign_in_text },
  other: { title: m.booking_link_other_title, text: m.booking_link_other_text },
} satisfies Record<State, object>;

export function BookingLinkSession({
  token,
  state,
  signsIn,
  session,
  onChanged,
  onEnter,
}: {
  token: string;
  state: State;
  signsIn: boolean;
  session: Session;
  onChanged: () => void;
  onEnter: (signInToken: string | null) => Promise<void>;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const timeZone = useDisplayZone() ?? session.timeZone;
  const startsAt = chosen ?? session.startsAt;
  const endsAt = new Date(Date.parse(startsAt) + session.durationMinutes * 60_000).toISOString();
  const { title, text } = words[state];
  return (
    <div className="mx-auto max-w-reading">
      <div className="flex items-center gap-8">
        <div className="min-w-0 flex-1">
          <h1 tabIndex={-1} className="text-2xl break-words sm:text-3xl">
            {title()}
          </h1>
          <p className="mt-2 text-lg text-quiet">{text()}</p>
        </div>
        <div aria-hidden className="w-44 shrink-0 max-sm:hidden">
          <TableIllustration />
        </div>
      </div>
      <SessionFacts
        session={{ ...session, startsAt, endsAt }}
        timeZone={timeZone}
        how={
          <>
            {ways[session.sessionType]()}
            <span className="block text-sm text-quiet">
              {session.service.title} · {minutesText(session.durationMinutes)} ·{' '}
              {m.services_price_settled({ price: priceText(session.priceCents) })}
            </span>
          </>
        }
      >
        {chosen && <span className="block text-sm text-quiet">{m.booking_link_chosen()}</span>}
      </SessionFacts>
      {state === 'open' && (
        <Confirm
          token={token}
          session={session}
          signsIn={signsIn}
          timeZone={timeZone}
          chosen={chosen}
          onChoose={setChosen}
          onChanged={onChanged}
          onEnter={onEnter}
        />
      )}
      {state === 'sign_in' && <SignIn />}
      {state === 'other' && <LogOut />}
    </div>
  );
}

function Confirm({
  token,
  session,
  signsIn,
  timeZone,
  chosen,
  onChoose,
  onChanged,
  onEnter,
}: {
  token: string;
  session: Session;
  signsIn: boolean;
  timeZone: string;
  /** Replacement time picked by the client. */
  chosen: string | null;
  onChoose: (start: string) => void;
  onChanged: () => void;
  onEnter: (signInToken: string | null) => Promise<void>;
}) {
  const hydrated = useHydrated();
  const { bookingAdvanceNoticeHours } = useSite();
  const { openBooking } = useBooking();
  const button = useRef<HTMLButtonElement>(null);
  const { provider, service, durationMinutes, sessionType } = session;
  const confirm = useMutation({
    mutationFn: () =>
      api.guestBooking.confirm.call(
        { token, priceCents: session.priceCents, ...(chosen ? { startsAt: chosen } : {}) },
        { signal: AbortSignal.timeout(patience) },
      ),
    onSuccess: ({ signInToken }) => {
      if (provider.approvesFirst)
        toast.done(m.booking_waiting(), m.booking_waiting_text({ name: provider.name }));
      else toast.done(m.booking_done({ therapist: provider.name }));
      return onEnter(signInToken);
    },
    onError: (error) => {
      if (isRefusal(error)) onChanged();
    },
  });
  return (
    <div className="mt-6 grid gap-4">
      <ProblemNotice
        error={confirm.error}
        about={{ name: provider.name, noticeHours: bookingAdvanceNoticeHours, byLink: true }}
        zone={timeZone}
        onChoose={(start) => {
          onChoose(start);
          confirm.reset();
          button.current?.focus();
        }}
      />
      {provider.approvesFirst && <Notice>{m.booking_approves_first({ name: provider.name })}</Notice>}
      <div className="flex flex-wrap gap-3 max-sm:*:w-full">
        <Button ref={button} busy={confirm.isPending} disabled={!hydrated} onClick={() => confirm.mutate()}>
          {m.booking_link_confirm()}
        </Button>
        {isRefusal(confirm.error) && (
          <Button
            variant="secondary"
            onClick={() =>
              openBooking({ providerId: provider.id, serviceId: service.id, durationMinutes, sessionType })
            }
          >
            {m.booking_link_all_times()}
          </Button>
        )}
      </div>
      <p className="text-sm text-quiet">
        {signsIn && <>{m.booking_link_account()} </>}
        {m.booking_link_not_you()}
      </p>
    </div>
  );
}

function SignIn() {
  const hydrated = useHydrated();
  const { requireAuth } = useAuthRequired();
  return (
    <Act>
      <Button disabled={!hydrated} onClick={() => requireAuth('other', () => undefined)}>
        {m.booking_link_sign_in()}
      </Button>
    </Act>
  );
}

function LogOut() {
  const hydrated = useHydrated();
  const { signOut, leaving } = useSession();
  return (
    <Act>
      <Button busy={leaving} disabled={!hydrated} onClick={() => void signOut()}>
        {m.booking_link_log_out()}
      </Button>
    </Act>
  );
}

function Act({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap gap-3 max-sm:*:w-full">{children}</div>;
}
