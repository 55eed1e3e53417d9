import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import limits from 'virtual:limits/care.records.change';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText, entriesKept } from '#/web/failures.ts';
import { shortDateText } from '#/web/times.ts';
import { isCallable } from '#/features/appointments/diary/rules.ts';
import { TextField } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { useForm } from '#/web/form.tsx';
import type { ClientRecord, ClientView } from '../clients/contract.ts';
import { careFailures, careFailureText } from './care-queries.ts';

export function RecordPanel({
  client,
  record,
  timeZone,
}: {
  client: ClientView;
  record: ClientRecord;
  timeZone: string;
}) {
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const invite = useMutation({
    mutationFn: () => api.care.records.invite.call({ clientId: client.id }),
    onSuccess: () => {
      toast.done(m.care_record_invited());
      return queries.invalidateQueries({ queryKey: api.care.clients.key() });
    },
  });
  return (
    <Notice
      className="mt-4"
      action={
        <>
          {record.email && !record.declined && (
            <Button variant="secondary" size="sm" busy={invite.isPending} onClick={() => invite.mutate()}>
              {record.sentAt ? m.web_send_again() : m.web_send_invitation()}
            </Button>
          )}
          <Button variant="secondary" size="sm" onClick={() => setEditing(true)}>
            {m.care_record_edit()}
          </Button>
        </>
      }
    >
      <p>{statusText(client.name, record, timeZone)}</p>
      {invite.isError && (
        <p role="alert" className="mt-2 font-semibold text-clay">
          {inviteText(invite.error)}
        </p>
      )}
      {editing && <RecordForm client={client} record={record} onClose={() => setEditing(false)} />}
    </Notice>
  );
}

function statusText(name: string, { email, sentAt, declined }: ClientRecord, timeZone: string): string {
  if (declined) return m.care_record_declined();
  if (!email) return m.care_record_none({ name });
  return sentAt
    ? m.care_record_sent({ name, date: shortDateText(sentAt, timeZone) })
    : m.care_record_unsent({ name });
}

function inviteText(error: unknown): string {
  return failureText(error, {
    ...careFailures,
    just_sent: m.guests_problem_sent_just,
    too_many_sends: m.care_record_too_many_sends,
    too_many_invitations: m.guests_problem_many,
    invitation_declined: m.care_record_declined,
  });
}

/** An empty field clears its value. */
function RecordForm({
  client,
  record,
  onClose,
}: {
  client: ClientView;
  record: ClientRecord;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const form = useForm({
    values: { name: client.name, email: record.email ?? '', phone: record.phone ?? '' },
    limits,
    sentence,
    check: ({ phone }) =>
      phone.trim() === '' || isCallable(phone) ? {} : { phone: m.care_record_phone_bad() },
    failureText: (error) => careFailureText(error, entriesKept),
    save: async ({ name, email, phone }) => {
      await api.care.records.change.call({
        clientId: client.id,
        name,
        ...(email ? { email } : {}),
        ...(phone.trim() ? { phone } : {}),
      });
      toast.done(m.care_record_saved());
      void queries.invalidateQueries({ queryKey: api.care.key() });
      onClose();
    },
  });
  const { field } = form;
  return (
    <FormDialog
      title={m.care_record_title()}
      submitLabel={m.care_record_save()}
      form={form}
      onClose={onClose}
    >
      <TextField label={m.web_name()} {...field('name')} autoComplete="off" required />
      <TextField label={m.care_record_email()} optional {...field('email')} type="email" autoComplete="off" />
      <TextField label={m.care_record_phone()} optional {...field('phone')} type="tel" autoComplete="off" />
    </FormDialog>
  );
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'name') return m.web_name_missing();
  if (field === 'phone') return m.care_record_phone_bad();
  if (field !== 'email') return undefined;
  return reason === 'yourself' ? m.care_record_email_own() : m.web_email_bad();
}
