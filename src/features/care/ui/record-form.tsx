import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isCallable } from '#/features/appointments/booking/rules.ts';
import { m } from '#/texts/messages.js';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { entriesKept, fieldProblems } from '#/web/failures.ts';
import { useFormSaving, type FieldTexts } from '#/web/form-saving.ts';
import type { ClientRecord, ClientView } from '../clients/contract.ts';
import { careFailureText, useCare } from './care-acts.ts';

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
  const care = useCare();
  const queries = useQueryClient();
  const { toast } = useToast();
  const saving = useFormSaving(refusedTexts, (error) => careFailureText(error, entriesKept));
  const [words, setWords] = useState({
    name: client.name,
    email: record.email ?? '',
    phone: record.phone ?? '',
  });
  const control = (field: keyof typeof words) => ({
    value: words[field],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => setWords({ ...words, [field]: target.value }),
  });
  const save = async () => {
    const [email, phone] = [words.email.trim(), words.phone.trim()];
    await care.records.change.call({
      clientId: client.id,
      name: words.name.trim(),
      ...(email ? { email } : {}),
      ...(phone ? { phone } : {}),
    });
    toast({ tone: 'success', title: m.care_record_saved() });
    void queries.invalidateQueries({ queryKey: care.key() });
    onClose();
  };
  return (
    <FormDialog
      title={m.care_record_title()}
      submitLabel={m.care_record_save()}
      failedTitle={m.care_record_failed()}
      saving={saving}
      onSubmit={(event) => void saving.submit(event, missingIn(words), save)}
      onClose={onClose}
    >
      <Field label={m.care_record_name()} error={saving.errors.name}>
        <TextInput {...control('name')} required maxLength={200} />
      </Field>
      <Field label={m.care_record_email()} error={saving.errors.email} optional>
        <TextInput {...control('email')} type="email" maxLength={254} />
      </Field>
      <Field label={m.care_record_phone()} error={saving.errors.phone} optional>
        <TextInput {...control('phone')} type="tel" maxLength={40} />
      </Field>
    </FormDialog>
  );
}

function missingIn({ name, email, phone }: Record<'name' | 'email' | 'phone', string>): FieldTexts {
  const [typedEmail, typedPhone] = [email.trim(), phone.trim()];
  return {
    ...(name.trim() ? {} : { name: m.care_record_name_missing() }),
    ...(typedEmail && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typedEmail)
      ? { email: m.care_record_email_bad() }
      : {}),
    ...(typedPhone && !isCallable(typedPhone) ? { phone: m.care_record_phone_bad() } : {}),
  };
}

function refusedTexts(error: unknown): FieldTexts {
  const found: FieldTexts = {};
  for (const { field, reason } of fieldProblems(error)) {
    if (field === 'name') found.name = m.care_record_name_missing();
    if (field === 'email')
      found.email = reason === 'yourself' ? m.care_record_email_own() : m.care_record_email_bad();
    if (field === 'phone') found.phone = m.care_record_phone_bad();
  }
  return found;
}
