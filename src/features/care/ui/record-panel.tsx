import { api } from '#/web/api.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText } from '#/web/failures.ts';
import { shortDateText } from '#/web/times.ts';
import type { ClientRecord, ClientView } from '../clients/contract.ts';
import { careFailures } from './care-acts.ts';
import { RecordForm } from './record-form.tsx';

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
              {record.sentAt ? m.care_record_invite_again() : m.care_record_invite()}
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
    just_sent: m.care_record_just_sent,
    too_many_sends: m.care_record_too_many_sends,
    too_many_invitations: m.care_record_limit,
    invitation_declined: m.care_record_declined,
  });
}
