import { useMutation } from '@tanstack/react-query';
import { Ear, HandHeart, MessageCircleOff, Scale, EyeOff } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { can } from '#/features/access/rules.ts';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import type { Invitation } from '#/features/attendees/contract.ts';
import { useKnownZone } from '#/web/own-zone.tsx';
import { Consent } from '#/web/components/consent.tsx';
import { guestProblemText } from '#/features/attendees/ui/guest-texts.ts';
import { shortDateText, timeText } from '#/web/times.ts';
import type { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { failureReason, isRefusal } from '#/web/failures.ts';
import { useFormSaving, type FieldTexts } from '#/web/form-saving.ts';
import { focusHeading } from '../focus-heading.ts';
import { SessionFacts } from '../session-facts.tsx';

type Session = NonNullable<Invitation['session']>;

const ways = {
  online: m.invitation_how_online,
  phone: m.invitation_how_phone,
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
  const timeZone = useKnownZone() ?? session.timeZone;
  const { inviter, provider, moved, confirmed } = session;
  return (
    <div className="mx-auto max-w-reading">
      <div className="flex items-center gap-8">
        <div className="min-w-0 flex-1">
          <h1 tabIndex={-1} className="text-2xl break-words outline-none sm:text-3xl">
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
      {moved && !accepted && (
        <Notice title={m.invitation_moved()} className="mt-6">
          {m.invitation_moved_text()}
        </Notice>
      )}
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
          <Button disabled={!hydrated} onClick={() => requireAuth('other', focusHeading)}>
            {m.invitation_sign_in()}
          </Button>
        )}
        {declining}
      </div>
    </Card>
  );
}

function AcceptForm({
  token,
  session,
  viewer,
  timeZone,
  onAnswer,
  children,
}: {
  token: string;
  session: Session;
  viewer: Viewer;
  timeZone: string;
  onAnswer: (answered: Invitation | null) => void;
  children: ReactNode;
}) {
  const api = useApi();
  const hydrated = useHydrated();
  const [name, setName] = useState(viewer.fullName.slice(0, 100));
  const [agreed, setAgreed] = useState(false);
  const [clashes, setClashes] = useState<Clash[]>([]);
  const { form, errors, failure, busy, submit } = useFormSaving(() => ({}), acceptProblem);
  const missing: FieldTexts = {
    ...(name.trim() === '' ? { name: m.invitation_name_required() } : {}),
    ...(agreed ? {} : { agreed: m.guests_consent_required() }),
  };
  const save = async () => {
    setClashes([]);
    try {
      await api.attendees.accept.call({ token, name: name.trim(), startsAt: session.startsAt, agreed: true });
      onAnswer({ state: 'accepted', session });
    } catch (error) {
      if (isRefusal(error)) {
        setClashes(clashesIn(error));
        // The displayed invitation is outdated.
        if (error.reason.startsWith('invitation_') || error.code === 'not_found') onAnswer(null);
      }
      throw error;
    }
  };
  return (
    <Card as="section" className="mt-8">
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void submit(event, missing, save)}
        className="grid gap-5"
      >
        <Field label={m.invitation_name()} error={errors.name} className="sm:max-w-96">
          <TextInput
            value={name}
            maxLength={100}
            autoComplete="name"
            disabled={!hydrated}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Consent checked={agreed} onChange={setAgreed} error={errors.agreed} disabled={!hydrated}>
          {m.invitation_agree()}
        </Consent>
        {failure && clashes.length === 0 && (
          <Notice tone="destructive" title={m.invitation_failed()}>
            {failure}
          </Notice>
        )}
        {clashes.length > 0 && (
          <Notice tone="destructive" title={m.invitation_clash_title()}>
            <p>{m.invitation_clash_text()}</p>
            <ul className="my-1.5 list-disc pl-5">
              {clashes.map(({ startsAt, endsAt }) => (
                <li key={startsAt}>
                  {m.invitation_clash_time({
                    date: shortDateText(startsAt, timeZone),
                    start: timeText(startsAt, timeZone),
                    end: timeText(endsAt, timeZone),
                  })}
                </li>
              ))}
            </ul>
            <p>{m.invitation_clash_nobody()}</p>
          </Notice>
        )}
        <div className="flex flex-wrap gap-3 max-sm:*:w-full">
          <Button type="submit" busy={busy} disabled={!hydrated}>
            {m.invitation_accept()}
          </Button>
          {children}
        </div>
      </form>
    </Card>
  );
}

interface Clash {
  startsAt: string;
  endsAt: string;
}

function clashesIn({ data }: AppError): Clash[] {
  const { clashes } = data;
  return Array.isArray(clashes) ? (clashes as Clash[]) : [];
}

function acceptProblem(error: unknown): string {
  switch (failureReason(error)) {
    case 'own_clash':
      return m.invitation_clash_title();
    case 'already_guest':
      return m.invitation_twice();
    case 'invitation_moved':
      return m.invitation_moved_meanwhile();
    default:
      return failureReason(error)?.startsWith('invitation')
        ? m.invitation_changed()
        : guestProblemText(error);
  }
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
  const api = useApi();
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  const decline = useMutation({
    mutationFn: () => api.attendees.decline.call({ token }),
    networkMode: 'always',
    onSuccess: (answered) => {
      setOpen(false);
      onAnswer(answered);
    },
    onError: (error) => {
      if (isRefusal(error)) onAnswer(null);
    },
  });
  return (
    <>
      <Button variant="quiet" disabled={!hydrated} onClick={() => setOpen(true)}>
        {m.invitation_decline()}
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={(next) => {
          if (!next) decline.reset();
          setOpen(next);
        }}
        title={m.invitation_decline_title()}
        description={m.invitation_decline_text({ name: inviter })}
        confirmLabel={m.invitation_decline_confirm()}
        cancelLabel={m.invitation_decline_keep()}
        busy={decline.isPending}
        onConfirm={() => decline.mutate()}
      >
        {decline.isError && (
          <Notice tone="destructive" title={m.invitation_failed()}>
            {acceptProblem(decline.error)}
          </Notice>
        )}
      </AlertDialog>
    </>
  );
}
