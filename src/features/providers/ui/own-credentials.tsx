import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import limits from 'virtual:limits/providers.credentials.submit';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, TextInput, TextField } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import type { Specialist } from '../contract.ts';
import type { OwnCredential } from '../credentials/contract.ts';
import { credentialEndText, credentialKindText } from './credential-texts.ts';
import { providerFailureText } from './failure-text.ts';
import { checkExpiry, refusedText, useProviderForm } from './provider-form.ts';

export function OwnCredentials({ kind }: { kind: Specialist['kind'] }) {
  useLiveQueries(api.providers.credentials.mine.key(), 'providers.credentials_changed');
  const query = useQuery(api.providers.credentials.mine.queryOptions());
  return (
    <Section title={m.credentials_title()} focusable>
      <p className="mt-1 mb-5 max-w-reading text-quiet">{m.credentials_text()}</p>
      <Fetched query={query} failure={m.credentials_waiting_failed()}>
        {(credentials) => <List kind={kind} credentials={credentials} />}
      </Fetched>
    </Section>
  );
}

function List({ kind, credentials }: { kind: Specialist['kind']; credentials: readonly OwnCredential[] }) {
  const [form, setForm] = useState<Begun | null>(null);
  const waiting = credentials.some(({ state }) => state === 'pending');
  const approved = credentials.some(({ state, expired }) => state === 'approved' && !expired);
  return (
    <>
      {!approved && <p className="mb-4">{m.credentials_none()}</p>}
      {credentials.length > 0 && (
        <ul className="mb-5 grid max-w-3xl gap-4">
          {credentials.map((credential) => (
            <li key={credential.id}>
              <Entry credential={credential} waiting={waiting} onChange={setForm} />
            </li>
          ))}
        </ul>
      )}
      {waiting ? (
        <p className="max-w-reading text-quiet">{m.credentials_one_waits()}</p>
      ) : (
        <Button
          variant="secondary"
          onClick={() =>
            setForm({
              kind: kind === 'doctor' ? 'licence' : 'ordination',
              number: '',
              issuer: '',
              region: '',
              expiresOn: null,
              replaces: null,
            })
          }
        >
          <Plus aria-hidden />
          {m.credentials_add()}
        </Button>
      )}
      {form && <CredentialForm begun={form} onClose={() => setForm(null)} />}
    </>
  );
}

const states = {
  pending: { tone: 'gold', text: m.credentials_state_pending },
  approved: { tone: 'sage', text: m.credentials_state_approved },
  rejected: { tone: 'clay', text: m.credentials_state_rejected },
  expired: { tone: 'clay', text: m.credentials_state_expired },
} as const;

function Entry({
  credential,
  waiting,
  onChange,
}: {
  credential: OwnCredential;
  waiting: boolean;
  onChange: (begun: Begun) => void;
}) {
  const queries = useQueryClient();
  const { id, kind, number, issuer, region, expiresOn, state, expired, reason } = credential;
  const { tone, text } = states[expired ? 'expired' : state];
  const withdraw = useMutation({
    ...api.providers.credentials.withdraw.mutationOptions(),
    onSuccess: () => toast.done(m.credentials_withdrawn()),
    onSettled: () => queries.invalidateQueries({ queryKey: api.providers.credentials.key() }),
  });
  const about = issuer;
  return (
    <Card as="article" aria-label={issuer}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 text-lg wrap-anywhere">
          {credentialKindText(kind)}: {issuer}
        </h3>
        <Badge tone={tone}>{text()}</Badge>
      </div>
      <p className="mt-1 wrap-anywhere">
        {region} · {m.credentials_number()} {number}
      </p>
      <p className="text-sm text-quiet">{credentialEndText(expiresOn)}</p>
      {reason && (
        <p className="mt-3 rounded-control bg-sunken px-4 py-2.5 text-sm wrap-anywhere whitespace-pre-line">
          {m.credentials_reason({ reason })}
        </p>
      )}
      <FailureAlert className="mt-3" text={withdraw.isError && providerFailureText(withdraw.error)} />
      <div className="mt-3 flex flex-wrap gap-2">
        {state === 'approved' && !waiting && (
          <Button
            about={about}
            variant="secondary"
            size="sm"
            onClick={() => onChange({ kind, number, issuer, region, expiresOn, replaces: id })}
          >
            {m.web_change()}
          </Button>
        )}
        {state === 'rejected' && !waiting && (
          <Button
            about={about}
            variant="secondary"
            size="sm"
            onClick={() =>
              onChange({ kind, number, issuer, region, expiresOn, replaces: credential.replaces })
            }
          >
            {m.credentials_again()}
          </Button>
        )}
        {state !== 'approved' && (
          <Button
            about={about}
            variant="quiet"
            size="sm"
            busy={withdraw.isPending}
            onClick={() => withdraw.mutate({ credentialId: id })}
          >
            {state === 'pending' ? m.web_withdraw() : m.web_remove()}
          </Button>
        )}
      </div>
    </Card>
  );
}

type Begun = Pick<OwnCredential, 'kind' | 'number' | 'issuer' | 'region' | 'expiresOn' | 'replaces'>;

function CredentialForm({ begun, onClose }: { begun: Begun; onClose: () => void }) {
  const queries = useQueryClient();
  const { replaces, ...values } = begun;
  const form = useProviderForm({
    values: { ...values, expiresOn: values.expiresOn ?? '' },
    limits,
    sentence: (field, reason) => refusedText(limits, field, reason),
    check: checkExpiry,
    save: async ({ expiresOn, ...rest }) => {
      await api.providers.credentials.submit.call({
        ...rest,
        ...(expiresOn === '' ? {} : { expiresOn }),
        ...(replaces === null ? {} : { replaces }),
      });
      toast.done(m.credentials_submitted(), m.credentials_submitted_text());
      void queries.invalidateQueries({ queryKey: api.providers.credentials.key() });
      onClose();
    },
  });
  const { field, register, choice, errorOf } = form;

  return (
    <FormDialog
      title={begun.replaces ? m.credentials_dialog_change() : m.credentials_dialog_add()}
      description={m.credentials_dialog_text()}
      submitLabel={m.web_send_for_approval()}
      form={form}
      onClose={onClose}
    >
      <ChoiceGroup
        legend={m.credentials_kind()}
        layout="chips"
        choices={[
          { value: 'licence' as const, label: m.credentials_kind_license() },
          { value: 'ordination' as const, label: m.credentials_kind_ordination() },
        ]}
        {...choice('kind')}
      />
      <Field label={m.credentials_issuer()} hint={m.credentials_issuer_hint()} error={errorOf('issuer')}>
        <TextInput {...register('issuer')} required autoComplete="off" />
      </Field>
      <Field label={m.credentials_region()} hint={m.credentials_region_hint()} error={errorOf('region')}>
        <TextInput {...register('region')} required autoComplete="off" />
      </Field>
      <Field label={m.credentials_number()} hint={m.credentials_number_hint()} error={errorOf('number')}>
        <TextInput {...register('number')} required autoComplete="off" />
      </Field>
      <TextField
        label={m.credentials_expires()}
        hint={m.credentials_expires_hint()}
        optional
        className="sm:max-w-xs"
        {...field('expiresOn')}
        type="date"
      />
    </FormDialog>
  );
}
