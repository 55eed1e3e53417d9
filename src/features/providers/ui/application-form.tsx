import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import limits from 'virtual:limits/providers.applications.submit';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { deviceZone } from '#/web/device-zone.ts';
import { presentZone } from '#/web/zones.ts';
import type { SubmitInput } from '../applications/contract.ts';
import type { ApplicationDocument } from '../documents/contract.ts';
import { ApplicationDocuments } from './application-documents.tsx';
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

export interface Applicant {
  fullName: string;
  email: string;
  timeZone: string | null;
}

export function ApplicationForm({
  applicant,
  services,
  unsent,
  onSent,
}: {
  applicant: Applicant;
  services: readonly { id: string; title: string }[];
  unsent: readonly ApplicationDocument[];
  onSent: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [documents, setDocuments] = useState(unsent);
  const [sending, setSending] = useState(false);
  const inputOf = (values: ApplicationValues): SubmitInput => ({
    ...profileOf(values),
    ...credentialOf(values),
    documentIds: documents.map(({ id }) => id),
  });
  const form = useProviderForm<ApplicationValues>({
    values: {
      ...emptyApplication(presentZone(applicant.timeZone ?? deviceZone())),
      fullName: applicant.fullName,
    },
    limits,
    input: inputOf,
    sentence,
    check: (values) => ({
      ...checkApplication(values),
      ...(sending ? { documentIds: m.applications_documents_wait() } : {}),
    }),
    save: async (values) => {
      await api.providers.applications.submit.call(inputOf(values));
      toast({ tone: 'success', title: m.applications_applied(), description: m.applications_applied_text() });
      await queries.invalidateQueries({ queryKey: api.providers.applications.mine.key() });
      onSent();
    },
  });
  const { errorOf, failure, busy } = form;
  const part = { form, whole: true };

  return (
    <form {...form.props} className="grid gap-6">
      <FormSection title={m.applications_part_basic()}>
        <LineField form={form} field="fullName" label={m.applications_full_name()} autoComplete="name" />
        <Field label={m.applications_email()} hint={m.applications_email_hint()}>
          <TextInput type="email" value={applicant.email} readOnly />
        </Field>
        <LineField
          form={form}
          field="phone"
          label={m.practice_field_phone()}
          hint={m.practice_field_phone_hint()}
          type="tel"
          autoComplete="tel"
          optional
        />
      </FormSection>
      <FormSection title={m.applications_part_professional()}>
        <ProfessionalFields {...part} />
      </FormSection>
      <FormSection title={m.applications_part_credential()}>
        <CredentialFields {...part} numberLabel={m.credentials_number()} />
      </FormSection>
      <FormSection title={m.applications_part_services()}>
        <OfferFields form={form} services={services} />
      </FormSection>
      <FormSection title={m.applications_part_bio()}>
        <BioField {...part} />
      </FormSection>
      <FormSection title={m.applications_part_documents()}>
        <ApplicationDocuments
          documents={documents}
          error={errorOf('documentIds')}
          onChange={setDocuments}
          onSending={setSending}
        />
      </FormSection>
      {failure && (
        <Notice tone="destructive" title={m.applications_submit_failed()}>
          {failure}
        </Notice>
      )}
      <div>
        <Button type="submit" busy={busy} className="max-sm:w-full">
          {m.applications_submit()}
        </Button>
      </div>
    </form>
  );
}

function sentence(field: string, reason: string): string | undefined {
  if (field.startsWith('documentIds'))
    return reason === 'required' ? m.applications_documents_required() : m.applications_documents_missing();
  return field === 'timeZone' ? m.applications_zone_required() : refusedText(limits, field, reason);
}
