import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { deviceZone } from '#/web/device-zone.ts';
import { presentZone } from '#/web/zones.ts';
import type { ApplicationDocument } from '../documents/contract.ts';
import { ApplicationDocuments } from './application-documents.tsx';
import {
  BioField,
  CredentialFields,
  credentialOf,
  emptyWords,
  fieldSentence,
  LineField,
  missingIn,
  OfferFields,
  ProfessionalFields,
  Section,
  sentOf,
  type Part,
} from './application-fields.tsx';
import { useSaving } from './saving.ts';

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
  const saving = useSaving(fieldSentence);
  const { form, errors, failure, busy } = saving;
  const [documents, setDocuments] = useState(unsent);
  const [sending, setSending] = useState(false);
  const [words, setWords] = useState(() => ({
    ...emptyWords(presentZone(applicant.timeZone ?? deviceZone())),
    fullName: applicant.fullName,
  }));
  const part: Part = {
    words,
    errors,
    whole: true,
    onChange: (change) => setWords((last) => ({ ...last, ...change })),
  };

  const missing = () => {
    const found = missingIn(words, true);
    if (sending) found.documentIds = m.applications_documents_wait();
    else if (documents.length === 0) found.documentIds = m.applications_documents_required();
    return found;
  };
  const send = async () => {
    await api.providers.applications.submit.call({
      ...sentOf(words),
      ...credentialOf(words),
      documentIds: documents.map(({ id }) => id),
    });
    toast({ tone: 'success', title: m.applications_applied(), description: m.applications_applied_text() });
    await queries.invalidateQueries({ queryKey: api.providers.applications.mine.key() });
    onSent();
  };

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void saving.submit(event, missing(), send)}
      className="grid gap-6"
    >
      <Section title={m.applications_part_basic()}>
        <LineField part={part} field="fullName" label={m.applications_full_name()} autoComplete="name" />
        <Field label={m.applications_email()} hint={m.applications_email_hint()}>
          <TextInput type="email" value={applicant.email} readOnly />
        </Field>
        <LineField
          part={part}
          field="phone"
          label={m.practice_field_phone()}
          hint={m.practice_field_phone_hint()}
          type="tel"
          autoComplete="tel"
          optional
        />
      </Section>
      <Section title={m.applications_part_professional()}>
        <ProfessionalFields part={part} />
      </Section>
      <Section title={m.applications_part_credential()}>
        <CredentialFields part={part} numberLabel={m.credentials_number()} />
      </Section>
      <Section title={m.applications_part_services()}>
        <OfferFields part={part} services={services} />
      </Section>
      <Section title={m.applications_part_bio()}>
        <BioField part={part} />
      </Section>
      <Section title={m.applications_part_documents()}>
        <ApplicationDocuments
          documents={documents}
          error={errors.documentIds}
          onChange={setDocuments}
          onSending={setSending}
        />
      </Section>
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
