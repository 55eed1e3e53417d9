import { useMemo } from 'react';
import limits from 'virtual:limits/providers.applications.submit';
import { m } from '#/texts/messages.js';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, Textarea, TextInput } from '#/web/components/field.tsx';
import { SeveralChoices } from '#/web/components/several-choices.tsx';
import type { Form } from '#/web/form.tsx';
import { timeZoneOffers } from '#/web/zones.ts';
import { offeredLanguages, typeText } from '../applications/rules.ts';
import type { ApplicationValues } from './application-values.ts';
import { WordList } from './word-list.tsx';

interface Part {
  form: Form<ApplicationValues>;
  /** True: all fields are required; false: only the minimum an administrator needs. */
  whole: boolean;
}

type LineField =
  | 'fullName'
  | 'phone'
  | 'specialization'
  | 'experience'
  | 'location'
  | 'number'
  | 'issuer'
  | 'region';

export function LineField({
  form: { register, errorOf },
  field,
  label,
  hint,
  optional = false,
  ...rest
}: {
  form: Form<ApplicationValues>;
  field: LineField;
  label: string;
  hint?: string | undefined;
  optional?: boolean;
  type?: 'tel';
  autoComplete?: string;
}) {
  return (
    <Field label={label} error={errorOf(field)} optional={optional} hint={hint}>
      <TextInput autoComplete="off" {...rest} {...register(field)} required={!optional} />
    </Field>
  );
}

export function ProfessionalFields({ form, whole }: Part) {
  const { choice, errorOf } = form;
  const zones = useMemo(() => timeZoneOffers(), []);
  return (
    <>
      <ChoiceGroup
        legend={m.applications_type()}
        layout="chips"
        className="max-w-sm [&>div]:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]"
        error={errorOf('type')}
        choices={(['doctor', 'pastor'] as const).map((value) => ({ value, label: typeText(value) }))}
        value={choice('type').value}
        onChange={(type) => {
          choice('type').onChange(type);
          // Preselect the usual credential; the other remains available.
          choice('credentialKind').onChange(type === 'doctor' ? 'licence' : 'ordination');
        }}
      />
      <LineField
        form={form}
        field="specialization"
        label={m.applications_specialization()}
        hint={whole ? m.applications_specialization_hint() : undefined}
      />
      <LineField
        form={form}
        field="experience"
        label={m.practice_field_experience()}
        hint={m.practice_field_experience_hint()}
        optional={!whole}
      />
      <WordList
        label={m.practice_field_education()}
        hint={m.practice_field_education_hint()}
        error={errorOf('education')}
        max={limits['education']!.max!}
        longest={limits['education.*']!.max!}
        {...choice('education')}
        optional
      />
      <LineField
        form={form}
        field="location"
        label={m.practice_field_location()}
        hint={whole ? m.practice_field_location_hint() : undefined}
        optional={!whole}
      />
      <Field
        label={m.settings_timezone()}
        error={errorOf('timeZone')}
        hint={whole ? m.applications_zone_hint() : undefined}
      >
        <Combobox {...choice('timeZone')} offers={zones} autoComplete="off" />
      </Field>
    </>
  );
}

export function CredentialFields({ form, whole, numberLabel }: Part & { numberLabel: string }) {
  const { register, choice, errorOf } = form;
  return (
    <>
      <ChoiceGroup
        legend={m.credentials_kind()}
        layout="chips"
        choices={[
          { value: 'licence' as const, label: m.credentials_kind_license() },
          { value: 'ordination' as const, label: m.credentials_kind_ordination() },
        ]}
        {...choice('credentialKind')}
      />
      <LineField
        form={form}
        field="number"
        label={numberLabel}
        hint={whole ? m.credentials_number_hint() : m.applications_add_credential_hint()}
        optional={!whole}
      />
      {(whole || form.watch('number').trim() !== '') && (
        <>
          <LineField
            form={form}
            field="issuer"
            label={m.credentials_issuer()}
            hint={m.credentials_issuer_hint()}
          />
          <LineField
            form={form}
            field="region"
            label={m.credentials_region()}
            hint={m.credentials_region_hint()}
          />
          <Field
            label={m.credentials_expires()}
            hint={m.applications_expires_hint()}
            error={errorOf('expiresOn')}
            optional
          >
            <TextInput type="date" {...register('expiresOn')} />
          </Field>
        </>
      )}
    </>
  );
}

export function OfferFields({
  form: { choice, errorOf },
  services,
}: {
  form: Form<ApplicationValues>;
  services: readonly { id: string; title: string }[];
}) {
  return (
    <>
      <SeveralChoices
        legend={m.practice_field_services()}
        error={errorOf('serviceIds')}
        choices={services.map(({ id, title }) => ({ value: id, label: title }))}
        {...choice('serviceIds')}
      />
      <SeveralChoices
        legend={m.practice_field_languages()}
        error={errorOf('languages')}
        choices={offeredLanguages.map((value) => ({ value, label: value }))}
        {...choice('languages')}
      />
    </>
  );
}

export function BioField({ form: { register, errorOf }, whole }: Part) {
  return (
    <Field
      label={whole ? m.practice_field_bio() : m.applications_bio_of_another()}
      hint={whole ? m.practice_field_bio_hint() : undefined}
      error={errorOf('bio')}
      optional={!whole}
    >
      <Textarea rows={5} {...register('bio')} required={whole} />
    </Field>
  );
}
