import { api } from '#/web/api.tsx';
import { useQueryClient } from '@tanstack/react-query';
import limits from 'virtual:limits/care.records.change';
import { isCallable } from '#/features/appointments/booking/rules.ts';
import { m } from '#/texts/messages.js';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { entriesKept } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { ClientRecord, ClientView } from '../clients/contract.ts';
import { careFailureText } from './care-acts.ts';

/** An empty field clears its value. */
export function RecordForm({
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
  const { register, errorOf } = form;
  return (
    <FormDialog
      title={m.care_record_title()}
      submitLabel={m.care_record_save()}
      failedTitle={m.web_save_failed()}
      form={form}
      onClose={onClose}
    >
      <Field label={m.care_record_name()} error={errorOf('name')}>
        <TextInput {...register('name')} autoComplete="off" required />
      </Field>
      <Field label={m.care_record_email()} error={errorOf('email')} optional>
        <TextInput {...register('email')} type="email" autoComplete="off" />
      </Field>
      <Field label={m.care_record_phone()} error={errorOf('phone')} optional>
        <TextInput {...register('phone')} type="tel" autoComplete="off" />
      </Field>
    </FormDialog>
  );
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'name') return m.web_name_missing();
  if (field === 'phone') return m.care_record_phone_bad();
  if (field !== 'email') return undefined;
  return reason === 'yourself' ? m.care_record_email_own() : m.web_email_bad();
}
