import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { FieldTexts } from '#/web/form-saving.ts';
import type { OwnCredential } from '../credentials/contract.ts';
import { credentialLimits as limits } from '../credentials/rules.ts';
import { isExpired } from '../practice/rules.ts';
import { useSaving } from './saving.ts';

export type Begun = Pick<OwnCredential, 'kind' | 'number' | 'issuer' | 'region' | 'expiresOn' | 'replaces'>;

export function CredentialForm({ begun, onClose }: { begun: Begun; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const saving = useSaving(sentence);
  const { errors } = saving;
  const [kind, setKind] = useState(begun.kind);
  const [words, setWords] = useState({
    issuer: begun.issuer,
    region: begun.region,
    number: begun.number,
    expiresOn: begun.expiresOn ?? '',
  });

  const save = async () => {
    const { expiresOn, ...rest } = words;
    await api.providers.credentials.submit.call({
      kind,
      ...rest,
      ...(expiresOn === '' ? {} : { expiresOn }),
      ...(begun.replaces === null ? {} : { replaces: begun.replaces }),
    });
    toast({ tone: 'success', title: m.credentials_submitted(), description: m.credentials_submitted_text() });
    void queries.invalidateQueries({ queryKey: api.providers.credentials.key() });
    onClose();
  };
  const control = (field: keyof typeof words) => ({
    value: words[field],
    onChange: ({ target }: { target: { value: string } }) => setWords({ ...words, [field]: target.value }),
  });

  return (
    <FormDialog
      title={begun.replaces ? m.credentials_dialog_change() : m.credentials_dialog_add()}
      description={m.credentials_dialog_text()}
      submitLabel={m.credentials_send()}
      failedTitle={m.practice_failed()}
      saving={saving}
      onSubmit={(event) => void saving.submit(event, missingIn(words), save)}
      onClose={onClose}
    >
      <ChoiceGroup
        legend={m.credentials_kind()}
        layout="chips"
        choices={[
          { value: 'licence' as const, label: m.credentials_kind_licence() },
          { value: 'ordination' as const, label: m.credentials_kind_ordination() },
        ]}
        value={kind}
        onChange={setKind}
      />
      <Field label={m.credentials_issuer()} hint={m.credentials_issuer_hint()} error={errors.issuer}>
        <TextInput {...control('issuer')} required autoComplete="off" />
      </Field>
      <Field label={m.credentials_region()} hint={m.credentials_region_hint()} error={errors.region}>
        <TextInput {...control('region')} required autoComplete="off" />
      </Field>
      <Field label={m.credentials_number()} hint={m.credentials_number_hint()} error={errors.number}>
        <TextInput {...control('number')} required autoComplete="off" />
      </Field>
      <Field
        label={m.credentials_expires()}
        hint={m.credentials_expires_hint()}
        error={errors.expiresOn}
        optional
        className="sm:max-w-xs"
      >
        <TextInput {...control('expiresOn')} type="date" />
      </Field>
    </FormDialog>
  );
}

function missingIn(words: { issuer: string; region: string; number: string; expiresOn: string }): FieldTexts {
  const found: FieldTexts = {};
  for (const field of ['issuer', 'region', 'number'] as const) {
    const text = words[field].trim();
    if (text === '') found[field] = m.credentials_required();
    else if (text.length > limits[field]) found[field] = m.credentials_long({ max: limits[field] });
  }
  if (isExpired(words.expiresOn || null, new Date().toISOString().slice(0, 10)))
    found.expiresOn = m.credentials_date_past();
  return found;
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'expiresOn') return reason === 'past' ? m.credentials_date_past() : m.credentials_date_bad();
  if (field === 'replaces') return undefined;
  if (field === 'issuer' || field === 'region' || field === 'number')
    return reason === 'required' || reason === 'too_small'
      ? m.credentials_required()
      : m.credentials_long({ max: limits[field] });
  return undefined;
}
