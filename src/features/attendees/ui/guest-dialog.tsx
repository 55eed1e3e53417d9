import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import limits from 'virtual:limits/attendees.invite';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { entriesKept } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { GuestList, GuestView } from '../contract.ts';
import { Consent } from '#/web/components/consent.tsx';
import { useGuests, guestFailureText, guestStateText } from './guest-list.ts';

const tones = {
  invited: 'gold',
  accepted: 'sage',
  declined: 'neutral',
  withdrawn: 'neutral',
  left: 'neutral',
} as const;

export function GuestDialog({
  open,
  onOpenChange,
  appointmentId,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  appointmentId: string;
}) {
  const guests = useGuests(appointmentId, open);
  const formId = useId();
  const [busy, setBusy] = useState(false);
  const mayInvite = (guests.data?.places ?? 0) > 0;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!busy) onOpenChange(next);
      }}
      title={m.guests_title()}
      description={m.guests_text()}
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={() => onOpenChange(false)}>
            {m.web_close()}
          </Button>
          {mayInvite && (
            <Button type="submit" form={formId} busy={busy}>
              {m.web_send_invitation()}
            </Button>
          )}
        </>
      }
    >
      <Fetched query={guests} failure={m.guests_failed()} skeleton={<Skeleton className="h-40" />}>
        {(known) => (
          <div className="grid gap-6">
            <Invited appointmentId={appointmentId} guests={known.guests} />
            {mayInvite ? (
              <InviteForm
                // Reset the form after each invitation.
                key={known.guests.length}
                id={formId}
                appointmentId={appointmentId}
                agreed={known.agreed}
                onBusy={setBusy}
              />
            ) : (
              <p className="text-quiet">{known.full ? m.guests_full() : m.guests_begun()}</p>
            )}
          </div>
        )}
      </Fetched>
    </Dialog>
  );
}

function Invited({ appointmentId, guests }: { appointmentId: string; guests: GuestList['guests'] }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<GuestView | null>(null);
  const [asking, setAsking] = useState(false);
  const keep = (list: GuestList) =>
    queries.setQueryData(api.attendees.list.queryKey({ input: { appointmentId } }), list);
  const behind = () => void queries.invalidateQueries({ queryKey: api.attendees.key() });
  const resend = useMutation({
    mutationFn: (guestId: string) => api.attendees.resend.call({ guestId }),
    onSuccess: (list) => {
      keep(list);
      toast.done(m.guests_resent(), m.guests_resent_text());
    },
    onError: (error) => {
      behind();
      toast.failed(m.web_did_not_work(), guestFailureText(error));
    },
  });
  const withdraw = useMutation({
    mutationFn: (guestId: string) => api.attendees.withdraw.call({ guestId }),
    onSuccess: (list) => {
      keep(list);
      setAsking(false);
      toast.done(m.guests_withdrawn());
    },
    onError: behind,
  });
  if (guests.length === 0) return <p className="text-quiet">{m.guests_none()}</p>;
  return (
    <>
      <ul className="divide-y divide-line rounded-control border border-line">
        {guests.map((guest) => (
          <li key={guest.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
            <div className="min-w-0 flex-1 basis-52">
              <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold break-words">
                {guest.name} <Badge tone={tones[guest.state]}>{guestStateText(guest.state)}</Badge>
              </p>
              {guest.email && <p className="text-sm break-all text-quiet">{guest.email}</p>}
            </div>
            <div className="flex flex-wrap gap-1">
              {guest.resendable && (
                <Button
                  about={m.web_to_name({ name: guest.name })}
                  variant="quiet"
                  size="sm"
                  busy={resend.isPending && resend.variables === guest.id}
                  onClick={() => resend.mutate(guest.id)}
                >
                  {m.web_send_again()}
                </Button>
              )}
              {(guest.state === 'invited' || guest.state === 'accepted') && (
                <Button
                  variant="quiet"
                  size="sm"
                  onClick={() => {
                    withdraw.reset();
                    setAsked(guest);
                    setAsking(true);
                  }}
                >
                  <span>
                    {m.web_withdraw()}
                    <VisuallyHidden>: {m.guests_withdraw_of({ name: guest.name })}</VisuallyHidden>
                  </span>
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          open={asking}
          act={withdraw}
          failure={(error) => ({ title: m.web_did_not_work(), text: guestFailureText(error) })}
          onClose={() => setAsking(false)}
          title={m.guests_withdraw_title()}
          description={
            asked.state === 'accepted'
              ? m.guests_withdraw_text_accepted({ name: asked.name })
              : m.guests_withdraw_text({ name: asked.name })
          }
          confirmLabel={m.guests_withdraw_confirm()}
          cancelLabel={m.guests_withdraw_keep()}
          onConfirm={() => withdraw.mutate(asked.id)}
        />
      )}
    </>
  );
}

function InviteForm({
  id,
  appointmentId,
  agreed: agreedBefore,
  onBusy,
}: {
  id: string;
  appointmentId: string;
  /** Consent was given with an earlier invitation. */
  agreed: boolean;
  onBusy: (busy: boolean) => void;
}) {
  const queries = useQueryClient();
  const form = useForm({
    values: { name: '', email: '', agreed: agreedBefore },
    limits,
    sentence,
    check: ({ agreed }) => (agreed ? {} : { agreed: m.guests_consent_required() }),
    failureText: (error) => guestFailureText(error, entriesKept),
    save: async (values) => {
      onBusy(true);
      try {
        const list = await api.attendees.invite.call({ appointmentId, ...values });
        queries.setQueryData(api.attendees.list.queryKey({ input: { appointmentId } }), list);
        const name = values.name.trim();
        toast.done(m.guests_sent(), m.guests_sent_text({ name }));
      } finally {
        onBusy(false);
      }
    },
  });
  const { register, choice, errorOf, failure } = form;
  const agreed = choice('agreed');
  return (
    <form {...form.props} id={id} aria-label={m.guests_invite()} className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={m.web_name()} hint={m.guests_name_hint()} error={errorOf('name')}>
          <TextInput {...register('name')} autoComplete="off" />
        </Field>
        <Field label={m.guests_email()} hint={m.guests_email_hint()} error={errorOf('email')}>
          <TextInput {...register('email')} type="email" autoComplete="off" />
        </Field>
      </div>
      {!agreedBefore && (
        <Consent checked={agreed.value} onChange={agreed.onChange} error={errorOf('agreed')}>
          {m.guests_consent_own()}
        </Consent>
      )}
      <FailureAlert text={failure} />
    </form>
  );
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'name') return m.guests_name_required();
  if (field === 'agreed') return m.guests_consent_required();
  if (field !== 'email') return undefined;
  if (reason === 'already_invited') return m.guests_email_twice();
  return reason === 'yourself' ? m.guests_email_own() : m.web_email_bad();
}
