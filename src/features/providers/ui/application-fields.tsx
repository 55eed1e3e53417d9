import { useMemo, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, Textarea, TextInput } from '#/web/components/field.tsx';
import type { FieldTexts } from '#/web/form-saving.ts';
import { timeZoneOffers } from '#/web/zones.ts';
import { applicationLimits as limits, offeredLanguages, typeText } from '../applications/rules.ts';
import type { CredentialKind } from '../credentials/contract.ts';
import { credentialLimits } from '../credentials/rules.ts';
import { isExpired } from '../practice/rules.ts';
import { SeveralChoices } from '#/web/components/several-choices.tsx';
import { wholeOf, WordList, type Words } from './word-list.tsx';

export interface ApplicationWords {
  fullName: string;
  email: string;
  phone: string;
  type: 'doctor' | 'pastor' | null;
  specialization: string;
  experience: string;
  education: Words;
  location: string;
  timeZone: string;
  bio: string;
  serviceIds: string[];
  languages: string[];
  credentialKind: CredentialKind;
  number: string;
  issuer: string;
  region: string;
  expiresOn: string;
}

export function emptyWords(timeZone: string): ApplicationWords {
  return {
    fullName: '',
    email: '',
    phone: '',
    type: null,
    specialization: '',
    experience: '',
    education: { words: [], typing: '' },
    location: '',
    timeZone,
    bio: '',
    serviceIds: [],
    languages: [],
    credentialKind: 'licence',
    number: '',
    issuer: '',
    region: '',
    expiresOn: '',
  };
}

export interface Part {
  words: ApplicationWords;
  errors: FieldTexts;
  /** True: all fields are required; false: only the minimum an administrator needs. */
  whole: boolean;
  onChange: (change: Partial<ApplicationWords>) => void;
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
  part: { words, errors, onChange },
  field,
  label,
  hint,
  optional = false,
  ...rest
}: {
  part: Part;
  field: LineField;
  label: string;
  hint?: string;
  optional?: boolean;
  type?: 'tel';
  autoComplete?: string;
}) {
  return (
    <Field label={label} error={errors[field]} optional={optional} {...(hint ? { hint } : {})}>
      <TextInput
        autoComplete="off"
        {...rest}
        required={!optional}
        value={words[field]}
        onChange={({ target }) => onChange({ [field]: target.value })}
      />
    </Field>
  );
}

export function ProfessionalFields({ part }: { part: Part }) {
  const { words, errors, whole, onChange } = part;
  const zones = useMemo(() => timeZoneOffers(), []);
  return (
    <>
      <ChoiceGroup
        legend={m.applications_type()}
        error={errors.type}
        choices={(['doctor', 'pastor'] as const).map((value) => ({ value, label: typeText(value) }))}
        value={words.type}
        onChange={(type) =>
          // Preselect the usual credential; the other remains available.
          onChange({ type, credentialKind: type === 'doctor' ? 'licence' : 'ordination' })
        }
      />
      <LineField
        part={part}
        field="specialization"
        label={m.applications_specialization()}
        {...(whole ? { hint: m.applications_specialization_hint() } : {})}
      />
      <LineField
        part={part}
        field="experience"
        label={m.practice_field_experience()}
        hint={m.practice_field_experience_hint()}
        optional={!whole}
      />
      <WordList
        label={m.practice_field_education()}
        hint={m.practice_field_education_hint()}
        error={errors.education}
        value={words.education}
        most={limits.educations}
        longest={limits.education}
        onChange={(education) => onChange({ education })}
        optional
      />
      <LineField
        part={part}
        field="location"
        label={m.practice_field_location()}
        {...(whole ? { hint: m.practice_field_location_hint() } : {})}
        optional={!whole}
      />
      <Field
        label={m.applications_zone()}
        error={errors.timeZone}
        {...(whole ? { hint: m.applications_zone_hint() } : {})}
      >
        <Combobox
          value={words.timeZone}
          offers={zones}
          onChange={(timeZone) => onChange({ timeZone })}
          autoComplete="off"
        />
      </Field>
    </>
  );
}

export function CredentialFields({ part, numberLabel }: { part: Part; numberLabel: string }) {
  const { words, errors, whole, onChange } = part;
  return (
    <>
      <ChoiceGroup
        legend={m.credentials_kind()}
        layout="chips"
        choices={[
          { value: 'licence' as const, label: m.credentials_kind_licence() },
          { value: 'ordination' as const, label: m.credentials_kind_ordination() },
        ]}
        value={words.credentialKind}
        onChange={(credentialKind) => onChange({ credentialKind })}
      />
      <LineField
        part={part}
        field="number"
        label={numberLabel}
        hint={whole ? m.credentials_number_hint() : m.applications_add_credential_hint()}
        optional={!whole}
      />
      {(whole || words.number.trim() !== '') && (
        <>
          <LineField
            part={part}
            field="issuer"
            label={m.credentials_issuer()}
            hint={m.credentials_issuer_hint()}
          />
          <LineField
            part={part}
            field="region"
            label={m.credentials_region()}
            hint={m.credentials_region_hint()}
          />
          <Field
            label={m.credentials_expires()}
            hint={m.applications_expires_hint()}
            error={errors.expiresOn}
            optional
            className="sm:max-w-xs"
          >
            <TextInput
              type="date"
              value={words.expiresOn}
              onChange={({ target }) => onChange({ expiresOn: target.value })}
            />
          </Field>
        </>
      )}
    </>
  );
}

export function OfferFields({
  part: { words, errors, onChange },
  services,
}: {
  part: Part;
  services: readonly { id: string; title: string }[];
}) {
  return (
    <>
      <SeveralChoices
        legend={m.practice_field_services()}
        error={errors.serviceIds}
        choices={services.map(({ id, title }) => ({ value: id, label: title }))}
        value={words.serviceIds}
        onChange={(serviceIds) => onChange({ serviceIds })}
      />
      <SeveralChoices
        legend={m.practice_field_languages()}
        error={errors.languages}
        choices={offeredLanguages.map((value) => ({ value, label: value }))}
        value={words.languages}
        onChange={(languages) => onChange({ languages })}
      />
    </>
  );
}

export function BioField({ part: { words, errors, whole, onChange } }: { part: Part }) {
  return (
    <Field
      label={whole ? m.practice_field_bio() : m.applications_bio_of_another()}
      {...(whole ? { hint: m.practice_field_bio_hint() } : {})}
      error={errors.bio}
      optional={!whole}
    >
      <Textarea
        rows={6}
        required={whole}
        value={words.bio}
        onChange={({ target }) => onChange({ bio: target.value })}
      />
    </Field>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card as="section" aria-label={title}>
      <h2 className="mb-5 text-xl">{title}</h2>
      <div className="grid max-w-3xl gap-6">{children}</div>
    </Card>
  );
}

/** In form order. */
export function missingIn(words: ApplicationWords, whole: boolean): FieldTexts {
  const found: FieldTexts = {};
  const line = (field: Exclude<LineField, 'number' | 'issuer' | 'region'> | 'bio', needed: boolean) => {
    const text = words[field].trim();
    if (text === '' && needed) found[field] = m.applications_required();
    else if (text.length > limits[field]) found[field] = m.practice_long({ max: limits[field] });
  };
  line('fullName', true);
  if (!whole && words.email.trim() === '') found.email = m.applications_required();
  line('phone', false);
  // Same pattern as the server.
  if (!/^[+0-9 ().\-/x]*$/.test(words.phone.trim())) found.phone = m.practice_phone_bad();
  if (words.type === null) found.type = m.practice_choose_one();
  line('specialization', true);
  line('experience', whole);
  const education = wholeOf(words.education);
  if (education.length > limits.educations)
    found.education = m.practice_words_full({ max: limits.educations });
  else if (education.some((one) => one.length > limits.education))
    found.education = m.practice_words_long({ max: limits.education });
  line('location', whole);
  if (!timeZoneOffers().some(({ value }) => value === words.timeZone))
    found.timeZone = m.applications_zone_required();
  if (whole || words.number.trim() !== '') {
    for (const field of ['number', 'issuer', 'region'] as const) {
      const text = words[field].trim();
      if (text === '') found[field] = m.applications_required();
      else if (text.length > credentialLimits[field])
        found[field] = m.credentials_long({ max: credentialLimits[field] });
    }
    if (isExpired(words.expiresOn || null, new Date().toISOString().slice(0, 10)))
      found.expiresOn = m.credentials_date_past();
  }
  if (whole && words.serviceIds.length === 0) found.serviceIds = m.practice_choose_one();
  if (whole && words.languages.length === 0) found.languages = m.practice_choose_one();
  line('bio', whole);
  return found;
}

export function fieldSentence(field: string, reason: string): string | undefined {
  if (field === 'email') return m.applications_email_bad();
  if (field === 'phone') return m.practice_phone_bad();
  if (field === 'timeZone') return m.applications_zone_required();
  if (field === 'serviceIds') return m.practice_service_gone();
  if (field === 'documentIds') return m.applications_documents_missing();
  if (field === 'expiresOn' || field === 'credential')
    return reason === 'past' ? m.credentials_date_past() : m.credentials_date_bad();
  return Object.hasOwn(emptyWords(''), field)
    ? reason === 'required' || reason === 'too_small'
      ? m.applications_required()
      : m.practice_bad()
    : undefined;
}

export function sentOf(words: ApplicationWords) {
  const { fullName, phone, specialization, experience, location, timeZone, bio, serviceIds, languages } =
    words;
  return {
    fullName,
    phone,
    type: words.type!,
    specialization,
    experience,
    education: wholeOf(words.education),
    location,
    timeZone,
    bio,
    serviceIds,
    languages,
  };
}

export function credentialOf({ credentialKind, number, issuer, region, expiresOn }: ApplicationWords) {
  return { credentialKind, number, issuer, region, ...(expiresOn === '' ? {} : { expiresOn }) };
}
