import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, Textarea, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { SeveralChoices } from '#/web/components/several-choices.tsx';
import { failureReason } from '#/web/failures.ts';
import type { FaithPart, ListingInput, OwnListing, SessionType } from '../contract.ts';
import { listingLimits as limits } from '../practice/rules.ts';
import { faithText } from '../rules.ts';
import type { FieldTexts } from '#/web/form-saving.ts';
import { useSaving } from './saving.ts';
import { wholeOf, WordList, type Words } from './word-list.tsx';

type Typed = Omit<ListingInput, 'version'>;
type ListField = 'specialties' | 'education' | 'languages' | 'traditions';
type LineField = 'title' | 'experience' | 'location' | 'bio' | 'approach' | 'phone';

const lists: Readonly<Record<ListField, { most: number; longest: number }>> = {
  specialties: { most: limits.specialties, longest: limits.specialty },
  education: { most: limits.educations, longest: limits.education },
  languages: { most: limits.languages, longest: limits.language },
  traditions: { most: limits.traditions, longest: limits.tradition },
};

const noTyping: Readonly<Record<ListField, string>> = {
  specialties: '',
  education: '',
  languages: '',
  traditions: '',
};

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
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const saving = useSaving(sentence);
  const { form, errors, failure, busy } = saving;
  /** Edited fields only, so the others follow server updates. */
  const [changed, setChanged] = useState<Partial<Typed>>({});
  const [typing, setTyping] = useState(noTyping);
  const [overtaken, setOvertaken] = useState(false);
  const shown: Typed = { ...typedOf(listing), ...changed };

  const note = (next: Partial<Typed>, typed: typeof noTyping) =>
    onUnsaved(Object.keys(next).length > 0 || Object.values(typed).some((text) => text.trim() !== ''));
  const change = <Key extends keyof Typed>(field: Key, value: Typed[Key]) => {
    const next = { ...changed, [field]: value };
    setChanged(next);
    note(next, typing);
  };
  const changeList = (field: ListField, { words, typing: text }: Words) => {
    const next = words === shown[field] ? changed : { ...changed, [field]: [...words] };
    const typed = { ...typing, [field]: text };
    setChanged(next);
    setTyping(typed);
    note(next, typed);
  };

  const save = async () => {
    setOvertaken(false);
    const whole: Typed = { ...shown };
    for (const field of Object.keys(lists) as ListField[])
      whole[field] = wholeOf({ words: shown[field], typing: typing[field] });
    try {
      const saved = await api.providers.saveProfile.call({ ...whole, version: listing.version });
      queries.setQueryData(api.providers.mine.queryKey(), saved);
    } catch (error) {
      if (failureReason(error) !== 'changed') throw error;
      await queries.invalidateQueries({ queryKey: api.providers.mine.key() });
      setOvertaken(true);
      return;
    }
    setChanged({});
    setTyping(noTyping);
    onUnsaved(false);
    toast({ tone: 'success', title: m.practice_saved(), description: m.practice_saved_text() });
  };

  const lineField = (field: LineField, label: string, hint?: string) => ({
    wrap: { label, error: errors[field], ...(hint ? { hint } : {}) },
    control: {
      value: shown[field],
      onChange: ({ target }: { target: { value: string } }) => change(field, target.value),
    },
  });
  const list = (field: ListField, label: string) => (
    <WordList
      label={label}
      error={errors[field]}
      value={{ words: shown[field], typing: typing[field] }}
      {...lists[field]}
      onChange={(value) => changeList(field, value)}
      optional={field === 'education' || field === 'traditions'}
      {...(field === 'education' ? { hint: m.practice_field_education_hint() } : {})}
    />
  );
  const title = lineField('title', m.practice_field_title(), m.practice_field_title_hint());
  const experience = lineField(
    'experience',
    m.practice_field_experience(),
    m.practice_field_experience_hint(),
  );
  const location = lineField('location', m.practice_field_location(), m.practice_field_location_hint());
  const bio = lineField('bio', m.practice_field_bio(), m.practice_field_bio_hint());
  const approach = lineField('approach', m.practice_field_approach());
  const phone = lineField('phone', m.practice_field_phone(), m.practice_field_phone_hint());

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void saving.submit(event, missingIn(shown, typing), save)}
      className="grid gap-6"
    >
      <Group title={m.practice_who()}>
        <Field {...title.wrap}>
          <TextInput {...title.control} required />
        </Field>
        <Field {...experience.wrap}>
          <TextInput {...experience.control} required />
        </Field>
        <Field {...location.wrap}>
          <TextInput {...location.control} required />
        </Field>
        <Field {...bio.wrap}>
          <Textarea {...bio.control} rows={6} required />
        </Field>
        {list('education', m.practice_field_education())}
        {list('languages', m.practice_field_languages())}
      </Group>
      <Group title={m.practice_how()}>
        <Field {...approach.wrap} optional>
          <Textarea {...approach.control} rows={3} />
        </Field>
        {list('specialties', m.practice_field_specialties())}
        {list('traditions', m.practice_field_traditions())}
        <ChoiceGroup
          legend={m.practice_field_faith()}
          choices={(['as_you_wish', 'woven_in', 'central'] as const).map((value) => ({
            value,
            label: faithText(value),
            description: faiths[value](),
          }))}
          value={shown.faithPart}
          onChange={(value) => change('faithPart', value)}
        />
      </Group>
      <Group title={m.practice_what()}>
        <SeveralChoices
          legend={m.practice_field_services()}
          error={errors.serviceIds}
          choices={services.map(({ id, title: label }) => ({ value: id, label }))}
          value={shown.serviceIds}
          onChange={(value) => change('serviceIds', value)}
        />
        <SeveralChoices
          legend={m.practice_field_session_types()}
          error={errors.sessionTypes}
          choices={(['online', 'phone', 'in-person'] as const).map((value) => ({
            value,
            label: meetings[value](),
          }))}
          value={shown.sessionTypes}
          onChange={(value) => change('sessionTypes', value)}
        />
        <Field {...phone.wrap} optional>
          <TextInput {...phone.control} type="tel" autoComplete="tel" />
        </Field>
      </Group>
      {overtaken && (
        <Notice tone="destructive" title={m.practice_changed()}>
          {m.practice_changed_text()}
        </Notice>
      )}
      {failure && (
        <Notice tone="destructive" title={m.practice_failed()}>
          {failure}
        </Notice>
      )}
      <div>
        <Button type="submit" busy={busy} className="max-sm:w-full">
          {m.practice_save()}
        </Button>
      </div>
    </form>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card as="section" aria-label={title}>
      <h2 className="mb-5 text-xl">{title}</h2>
      <div className="grid max-w-3xl gap-6">{children}</div>
    </Card>
  );
}

function typedOf(listing: OwnListing): Typed {
  return {
    title: listing.title,
    specialties: listing.specialties,
    experience: listing.experience,
    location: listing.location,
    bio: listing.bio,
    education: listing.education,
    approach: listing.approach,
    languages: listing.languages,
    traditions: listing.traditions,
    faithPart: listing.faithPart,
    sessionTypes: listing.sessionTypes,
    serviceIds: listing.serviceIds,
    phone: listing.phone,
  };
}

function missingIn(shown: Typed, typing: Readonly<Record<ListField, string>>): FieldTexts {
  const found: FieldTexts = {};
  for (const field of ['title', 'experience', 'location', 'bio', 'approach', 'phone'] as const) {
    const text = shown[field].trim();
    if (text === '' && field !== 'approach' && field !== 'phone') found[field] = m.practice_required();
    else if (text.length > limits[field]) found[field] = m.practice_long({ max: limits[field] });
  }
  // Same pattern as the server.
  if (!/^[+0-9 ().\-/x]*$/.test(shown.phone.trim())) found.phone = m.practice_phone_bad();
  for (const field of Object.keys(lists) as ListField[]) {
    const words = wholeOf({ words: shown[field], typing: typing[field] });
    const { most, longest } = lists[field];
    if (words.length === 0 && (field === 'specialties' || field === 'languages'))
      found[field] = m.practice_words_required();
    else if (words.length > most) found[field] = m.practice_words_full({ max: most });
    else if (words.some((word) => word.length > longest))
      found[field] = m.practice_words_long({ max: longest });
  }
  if (shown.serviceIds.length === 0) found.serviceIds = m.practice_choose_one();
  if (shown.sessionTypes.length === 0) found.sessionTypes = m.practice_choose_one();
  // Form order.
  return Object.fromEntries(order.flatMap((field) => (found[field] ? [[field, found[field]]] : [])));
}

const order = [
  ...(['title', 'experience', 'location', 'bio', 'education', 'languages', 'approach'] as const),
  ...(['specialties', 'traditions', 'serviceIds', 'sessionTypes', 'phone'] as const),
];

function sentence(field: string, reason: string): string | undefined {
  if (field === 'phone') return m.practice_phone_bad();
  if (field === 'serviceIds') return m.practice_service_gone();
  if (!order.some((one) => one === field)) return undefined;
  return reason === 'required' || reason === 'too_small' ? m.practice_required() : m.practice_bad();
}
