import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import limits from 'virtual:limits/providers.applications.add';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { deviceZone } from '#/kernel/date-text.ts';
import { isRefusal } from '#/web/failures.ts';
import { presentZone } from '#/web/zones.ts';
import type { AddInput } from '../applications/contract.ts';
import { typeText } from '../applications/rules.ts';
import {
  BioField,
  CredentialFields,
  LineField,
  OfferFields,
  ProfessionalFields,
} from './application-fields.tsx';
import {
  checkApplication,
  credentialOf,
  emptyApplication,
  profileOf,
  type ApplicationValues,
} from './application-values.ts';
import { FormSection } from './form-section.tsx';
import { refusedText, useProviderForm } from './provider-form.ts';

export interface PromotedClient {
  name: string;
  email: string;
  type: 'doctor' | 'pastor';
}

/** Form for adding a provider (administrator spec, section 2). */
export function AddProviderForm({
  services,
  promoted,
}: {
  services: readonly { id: string; title: string }[];
  promoted: PromotedClient | null;
}) {
  const queries = useQueryClient();
  const [client, setClient] = useState<{ name: string; email: string } | null>(promoted);

  const add = async (values: ApplicationValues) => {
    const { email } = values;
    try {
      const existing = client?.email === email;
      const { name } = await api.providers.applications.add.call({ ...inputOf(values), existing });
      toast.done(
        m.applications_add_done(),
        m.applications_add_done_text({ name, type: typeText(values.type!) }),
      );
    } catch (error) {
      if (!isRefusal(error) || error.reason !== 'account_is_client') throw error;
      setClient({ name: error.data?.name as string, email });
      return;
    }
    form.reset(empty());
    setClient(null);
    form.props.ref.current?.querySelector('input')?.focus();
    void queries.invalidateQueries({ queryKey: api.providers.key() });
  };
  const form = useProviderForm<ApplicationValues>({
    values: promoted
      ? { ...empty(), fullName: promoted.name, email: promoted.email, type: promoted.type }
      : empty(),
    limits,
    input: inputOf,
    sentence,
    check: (values) => checkApplication(hasCredential(values) ? values : { ...values, expiresOn: '' }),
    onInvalid: () => toast.failed(m.web_missing_information(), m.web_required_fields()),
    save: add,
  });
  const { register, failure, busy } = form;
  const errorOf = (field: string) => form.errorOf(field) ?? form.errorOf(`credential.${field}`);
  const part = { form: { ...form, errorOf }, whole: false };
  const known = client?.email === form.watch('email') ? client : null;

  return (
    <form {...form.props} className="grid gap-4 sm:gap-6">
      <LeaveGuard unsaved={form.unsaved} />
      <FormSection title={m.applications_part_basic()}>
        <LineField form={part.form} field="fullName" label={m.web_full_name()} />
        <Field label={m.applications_email()} error={errorOf('email')}>
          <TextInput {...register('email')} type="email" autoComplete="off" required />
        </Field>
        <LineField form={part.form} field="phone" label={m.practice_field_phone()} type="tel" optional />
      </FormSection>
      <FormSection title={m.applications_part_professional()}>
        <ProfessionalFields {...part} />
        <CredentialFields {...part} numberLabel={m.applications_license_number()} />
      </FormSection>
      <FormSection title={m.applications_part_services()}>
        <OfferFields form={part.form} services={services} />
        <Switch label={m.applications_in_person()} {...register('inPerson')} />
      </FormSection>
      <FormSection title={m.applications_part_bio()}>
        <BioField {...part} />
      </FormSection>
      {known && (
        <Notice title={m.applications_add_client({ name: known.name })}>
          {m.applications_add_client_text()}
        </Notice>
      )}
      <FailureAlert title={m.applications_add_failed()} text={failure} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={busy} className="max-sm:grow">
          {known ? m.applications_add_again() : m.applications_add_button()}
        </Button>
        <ButtonLink to="/home" variant="secondary" className="max-sm:grow">
          {m.web_cancel()}
        </ButtonLink>
      </div>
    </form>
  );
}

function empty(): ApplicationValues {
  return emptyApplication(presentZone(deviceZone()));
}

function hasCredential({ number }: ApplicationValues): boolean {
  return number.trim() !== '';
}

function inputOf(values: ApplicationValues): Omit<AddInput, 'existing'> {
  const { email, inPerson } = values;
  const credential = hasCredential(values) ? { credential: credentialOf(values) } : {};
  return { ...profileOf(values), email, inPerson, ...credential };
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'email' && reason !== 'required') return m.web_email_bad();
  return field === 'timeZone' ? m.web_zone_bad() : refusedText(limits, field, reason);
}
