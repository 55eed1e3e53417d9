import { useQueryClient } from '@tanstack/react-query';
import limits from 'virtual:limits/providers.credentials.submit';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { OwnCredential } from '../credentials/contract.ts';
import { checkExpiry, refusedText, useProviderForm } from './provider-form.ts';

export type Begun = Pick<OwnCredential, 'kind' | 'number' | 'issuer' | 'region' | 'expiresOn' | 'replaces'>;

export function CredentialForm({ begun, onClose }: { begun: Begun; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
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
      toast({
        tone: 'success',
        title: m.credentials_submitted(),
        description: m.credentials_submitted_text(),
      });
      void queries.invalidateQueries({ queryKey: api.providers.credentials.key() });
      onClose();
    },
  });
  const { register, choice, errorOf } = form;

  return (
    <FormDialog
      title={begun.replaces ? m.credentials_dialog_change() : m.credentials_dialog_add()}
      description={m.credentials_dialog_text()}
      submitLabel={m.credentials_send()}
      failedTitle={m.practice_failed()}
      form={form}
      onClose={onClose}
    >
      <ChoiceGroup
        legend={m.credentials_kind()}
        layout="chips"
        choices={[
          { value: 'licence' as const, label: m.credentials_kind_licence() },
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
      <Field
        label={m.credentials_expires()}
        hint={m.credentials_expires_hint()}
        error={errorOf('expiresOn')}
        optional
        className="sm:max-w-xs"
      >
        <TextInput {...register('expiresOn')} type="date" />
      </Field>
    </FormDialog>
  );
}
