import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import limits from 'virtual:limits/providers.applications.submit';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { fieldProblems } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import { Field, TextInput } from '#/web/components/field.tsx';
import { deviceZone } from '#/kernel/date-text.ts';
import { presentZone } from '#/web/zones.ts';
import type { OwnApplication, SubmitInput } from '../applications/contract.ts';
import { providerFailureText } from './failure-text.ts';
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

export function ApplicationPanel({
  applicant,
  services,
}: {
  applicant: Applicant;
  services: readonly { id: string; title: string }[];
}) {
  const [again, setAgain] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  useLiveQueries(api.providers.applications.mine.key(), 'providers.applications_changed');
  const query = useQuery(api.providers.applications.mine.queryOptions());
  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      <Fetched query={query} failure={m.applications_list_failed()}>
        {({ application, documents }) => {
          if (application?.status === 'pending') return <Pending application={application} />;
          const rejected = application?.status === 'rejected' ? application : null;
          if (rejected && !again) return <Rejected application={rejected} onAgain={() => setAgain(true)} />;
          return (
            <ApplicationForm
              applicant={applicant}
              services={services}
              unsent={documents}
              onSent={() => {
                setAgain(false);
                top.current?.focus();
              }}
            />
          );
        }}
      </Fetched>
    </div>
  );
}

function Rejected({ application, onAgain }: { application: OwnApplication; onAgain: () => void }) {
  return (
    <Section card titleId="rejected" title={m.join_rejected()} className="max-w-3xl">
      <p className="mt-3 rounded-control bg-sunken px-4 py-2.5 wrap-anywhere whitespace-pre-line">
        {m.applications_reason_given({ reason: application.reason ?? '' })}
      </p>
      <p className="mt-3 text-quiet">{m.join_rejected_text()}</p>
      <Button className="mt-5" onClick={onAgain}>
        {m.join_again()}
      </Button>
    </Section>
  );
}

function Pending({ application: { id, submittedAt, documents } }: { application: OwnApplication }) {
  const ownZone = useOwnZone();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const withdraw = useMutation({
    ...api.providers.applications.withdraw.mutationOptions(),
    onSuccess: () => {
      setAsking(false);
      toast.done(m.applications_withdrawn());
    },
    onSettled: () => queries.invalidateQueries({ queryKey: api.providers.applications.mine.key() }),
  });
  return (
    <Section card titleId="pending" title={m.join_pending()} className="max-w-3xl">
      <p className="mt-1 text-quiet">{m.join_pending_text({ date: longDateText(submittedAt, ownZone) })}</p>
      <h3 className="mt-5 mb-1 text-base font-semibold">{m.applications_documents()}</h3>
      <ul>
        {documents.map((document) => (
          <li key={document.id}>
            <a
              href={document.path}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-11 items-center wrap-anywhere text-primary hover:underline"
            >
              {document.name}
            </a>
          </li>
        ))}
      </ul>
      <Button variant="secondary" className="mt-4" onClick={() => setAsking(true)}>
        {m.applications_withdraw()}
      </Button>
      <ConfirmDialog
        open={asking}
        act={withdraw}
        failure={(error) => ({ title: m.web_did_not_work(), text: providerFailureText(error) })}
        onClose={() => setAsking(false)}
        title={m.applications_withdraw_ask()}
        description={m.applications_withdraw_ask_text()}
        confirmLabel={m.applications_withdraw()}
        onConfirm={() => withdraw.mutate({ applicationId: id })}
      />
    </Section>
  );
}

interface Applicant {
  fullName: string;
  email: string;
  timeZone: string | null;
}

function ApplicationForm({
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
  const queries = useQueryClient();
  const [documents, setDocuments] = useState(unsent);
  const [sending, setSending] = useState(false);
  const inputOf = (values: ApplicationValues): SubmitInput => ({
    ...profileOf(values),
    ...credentialOf(values),
    documentIds: documents.map(({ id }) => id),
  });
  const dropDeleted = async () => {
    const { documents: left } = await api.providers.applications.mine.call();
    setDocuments((before) => before.filter(({ id }) => left.some((one) => one.id === id)));
  };
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
      try {
        await api.providers.applications.submit.call(inputOf(values));
      } catch (error) {
        if (fieldProblems(error).some(({ field }) => field === 'documentIds')) await dropDeleted();
        throw error;
      }
      toast.done(m.applications_applied(), m.applications_applied_text());
      await queries.invalidateQueries({ queryKey: api.providers.applications.mine.key() });
      onSent();
    },
  });
  const { errorOf, failure, busy } = form;
  const part = { form, whole: true };

  return (
    <form {...form.props} className="grid gap-4 sm:gap-6">
      <LeaveGuard unsaved={form.unsaved} />
      <FormSection title={m.applications_part_basic()}>
        <LineField form={form} field="fullName" label={m.web_full_name()} autoComplete="name" />
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
      <FailureAlert title={m.applications_submit_failed()} text={failure} />
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
  return field === 'timeZone' ? m.web_zone_bad() : refusedText(limits, field, reason);
}
