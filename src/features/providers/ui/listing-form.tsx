import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import limits from 'virtual:limits/providers.saveProfile';
import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, Textarea, TextInput, TextField, TextareaField } from '#/web/components/field.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { SeveralChoices } from '#/web/components/several-choices.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason } from '#/web/failures.ts';
import type { Form } from '#/web/form.tsx';
import type { FaithPart, ListingInput, OwnListing, SessionType } from '../contract.ts';
import { faithText } from '../rules.ts';
import { FormSection } from './form-section.tsx';
import { refusedText, useProviderForm } from './provider-form.ts';
import { allWords, WordList, type WordListValue } from './word-list.tsx';

type ListName = 'specialties' | 'education' | 'languages' | 'traditions';
type Values = Omit<ListingInput, 'version' | ListName> & Record<ListName, WordListValue>;

const meetings: Readonly<Record<SessionType, () => string>> = {
  online: m.therapists_type_online,
  phone: m.therapists_type_phone,
  'in-person': m.therapists_type_in_person,
};

const faiths: Readonly<Record<FaithPart, () => string>> = {
  as_you_wish: m.practice_field_faith_as_you_wish_text,
  woven_in: m.practice_field_faith_woven_in_text,
  central: m.practice_field_faith_central_text,
};

export function ListingForm({
  listing,
  services,
  onUnsaved,
}: {
  listing: OwnListing;
  services: readonly Pick<ServiceSummary, 'id' | 'title'>[];
  onUnsaved: (unsaved: boolean) => void;
}) {
  const queries = useQueryClient();
  const [overtaken, setOvertaken] = useState(false);
  const form = useProviderForm<Values>({
    values: valuesOf(listing),
    version: listing.version,
    limits,
    input: inputOf,
    sentence,
    save: async (values) => {
      setOvertaken(false);
      try {
        const input = { ...inputOf(values), version: listing.version };
        const saved = await api.providers.saveProfile.call(input);
        queries.setQueryData(api.providers.mine.queryKey(), saved);
        form.takeSaved(valuesOf(saved));
      } catch (error) {
        if (failureReason(error) === 'changed') {
          await queries.invalidateQueries({ queryKey: api.providers.mine.key() });
          setOvertaken(true);
        }
        throw error;
      }
      toast.done(m.practice_saved());
    },
  });
  const { field, register, choice, errorOf, failure, busy, unsaved } = form;
  useEffect(() => onUnsaved(unsaved), [onUnsaved, unsaved]);

  return (
    <form {...form.props} className="grid gap-6">
      <FormSection
        title={m.practice_who()}
        summary={[listing.title, listing.experience, listing.location].join(' · ')}
      >
        <div className="grid gap-x-4 gap-y-6 sm:grid-cols-3">
          <Field label={m.practice_field_title()} error={errorOf('title')}>
            <TextInput {...register('title')} required />
          </Field>
          <TextField label={m.practice_field_experience()} {...field('experience')} required />
          <TextField
            label={m.practice_field_location()}
            hint={m.practice_field_location_hint()}
            {...field('location')}
            required
          />
        </div>
        <Field label={m.practice_field_bio()} hint={m.practice_field_bio_hint()} error={errorOf('bio')}>
          <Textarea {...register('bio')} rows={6} required />
        </Field>
        <ListField form={form} field="education" label={m.practice_field_education()} />
        <ListField form={form} field="languages" label={m.practice_field_languages()} />
      </FormSection>
      <FormSection title={m.practice_how()} summary={listing.specialties.join(' · ')}>
        <TextareaField label={m.practice_field_approach()} optional {...field('approach')} rows={3} />
        <ListField form={form} field="specialties" label={m.practice_field_specialties()} />
        <ListField form={form} field="traditions" label={m.practice_field_traditions()} />
        <ChoiceGroup
          legend={m.therapists_faith()}
          choices={(['as_you_wish', 'woven_in', 'central'] as const).map((value) => ({
            value,
            label: faithText(value),
            description: faiths[value](),
          }))}
          {...choice('faithPart')}
        />
      </FormSection>
      <FormSection
        title={m.practice_what()}
        summary={services
          .filter(({ id }) => listing.serviceIds.includes(id))
          .map(({ title }) => title)
          .join(' · ')}
      >
        <SeveralChoices
          legend={m.practice_field_services()}
          error={errorOf('serviceIds')}
          choices={services.map(({ id, title: label }) => ({ value: id, label }))}
          {...choice('serviceIds')}
        />
        <SeveralChoices
          legend={m.therapists_session_types()}
          error={errorOf('sessionTypes')}
          choices={(['online', 'phone', 'in-person'] as const).map((value) => ({
            value,
            label: meetings[value](),
          }))}
          {...choice('sessionTypes')}
        />
        <Field
          label={m.practice_field_phone()}
          hint={m.practice_field_phone_hint()}
          error={errorOf('phone')}
          optional
        >
          <TextInput {...register('phone')} type="tel" autoComplete="tel" />
        </Field>
      </FormSection>
      <FailureAlert title={overtaken ? m.practice_changed() : m.web_save_failed()} text={failure} />
      <div>
        <Button type="submit" busy={busy} className="max-sm:w-full">
          {m.practice_save()}
        </Button>
      </div>
    </form>
  );
}

function ListField({
  form: { choice, errorOf },
  field,
  label,
}: {
  form: Form<Values>;
  field: ListName;
  label: string;
}) {
  return (
    <WordList
      label={label}
      error={errorOf(field)}
      max={limits[field]!.max!}
      longest={limits[`${field}.*`]!.max!}
      {...choice(field)}
      optional={field === 'education' || field === 'traditions'}
      {...(field === 'education' ? { hint: m.practice_field_education_hint() } : {})}
    />
  );
}

function valuesOf(listing: OwnListing): Values {
  return {
    title: listing.title,
    specialties: wordsOf(listing.specialties),
    experience: listing.experience,
    location: listing.location,
    bio: listing.bio,
    education: wordsOf(listing.education),
    approach: listing.approach,
    languages: wordsOf(listing.languages),
    traditions: wordsOf(listing.traditions),
    faithPart: listing.faithPart,
    sessionTypes: listing.sessionTypes,
    serviceIds: listing.serviceIds,
    phone: listing.phone,
  };
}

function wordsOf(words: readonly string[]): WordListValue {
  return { words, typing: '' };
}

function inputOf(values: Values): Omit<ListingInput, 'version'> {
  return {
    ...values,
    specialties: allWords(values.specialties),
    education: allWords(values.education),
    languages: allWords(values.languages),
    traditions: allWords(values.traditions),
  };
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'version') return undefined;
  const isEmptyList = reason === 'required' && (field === 'specialties' || field === 'languages');
  return isEmptyList ? m.practice_words_required() : refusedText(limits, field, reason);
}
