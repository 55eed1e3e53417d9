import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Field, FieldError, Textarea, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { FieldTexts } from '#/web/form-saving.ts';
import type { OwnPlace, PlaceInput } from '../places/contract.ts';
import { placeLimits as limits } from '../places/rules.ts';
import { useSaving } from './saving.ts';

export function PlaceForm({ place, onClose }: { place: OwnPlace | null; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const saving = useSaving(sentence);
  const { errors } = saving;
  const id = useId();
  const [words, setWords] = useState({
    name: place?.name ?? '',
    address: place?.address ?? '',
    town: place?.town ?? '',
    directions: place?.directions ?? '',
    latitude: place?.coordinates?.latitude.toString() ?? '',
    longitude: place?.coordinates?.longitude.toString() ?? '',
  });

  const save = async () => {
    const { latitude, longitude, ...rest } = words;
    const input: PlaceInput = {
      ...rest,
      ...(latitude.trim() === ''
        ? {}
        : { coordinates: { latitude: Number(latitude), longitude: Number(longitude) } }),
    };
    const { places } = api.providers;
    await (place ? places.edit.call({ ...input, placeId: place.id }) : places.add.call(input));
    toast({ tone: 'success', title: m.places_saved() });
    void queries.invalidateQueries({ queryKey: places.key() });
    onClose();
  };
  const control = (field: keyof typeof words) => ({
    value: words[field],
    onChange: ({ target }: { target: { value: string } }) => setWords({ ...words, [field]: target.value }),
  });
  const degrees = (field: 'latitude' | 'longitude') => ({
    ...control(field),
    inputMode: 'decimal' as const,
    autoComplete: 'off',
    'aria-invalid': errors.coordinates ? true : undefined,
    'aria-describedby': `${id}-hint${errors.coordinates ? ` ${id}-error` : ''}`,
  });

  return (
    <FormDialog
      title={place ? m.places_dialog_edit() : m.places_dialog_add()}
      submitLabel={m.places_save()}
      failedTitle={m.practice_failed()}
      saving={saving}
      onSubmit={(event) => void saving.submit(event, missingIn(words), save)}
      onClose={onClose}
    >
      <Field label={m.places_field_name()} hint={m.places_field_name_hint()} error={errors.name}>
        <TextInput {...control('name')} required autoComplete="off" />
      </Field>
      <Field label={m.places_field_address()} error={errors.address}>
        <Textarea {...control('address')} rows={2} required className="min-h-20" />
      </Field>
      <Field label={m.places_field_town()} hint={m.places_field_town_hint()} error={errors.town}>
        <TextInput {...control('town')} required autoComplete="off" />
      </Field>
      <Field label={m.places_field_directions()} error={errors.directions} optional>
        <Textarea {...control('directions')} rows={3} className="min-h-20" />
      </Field>
      <fieldset className="min-w-0">
        <legend className="mb-1.5 font-semibold">
          {m.places_coordinates()}
          <span className="font-normal text-quiet"> ({m.web_optional()})</span>
        </legend>
        <div className="grid max-w-md gap-3 sm:grid-cols-2">
          <TextInput
            {...degrees('latitude')}
            aria-label={m.places_field_latitude()}
            placeholder={m.places_field_latitude()}
          />
          <TextInput
            {...degrees('longitude')}
            aria-label={m.places_field_longitude()}
            placeholder={m.places_field_longitude()}
          />
        </div>
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-quiet">
          {m.places_coordinates_hint()}
        </p>
        {errors.coordinates && <FieldError id={`${id}-error`}>{errors.coordinates}</FieldError>}
      </fieldset>
    </FormDialog>
  );
}

type Typed = Record<'name' | 'address' | 'town' | 'directions' | 'latitude' | 'longitude', string>;

function missingIn(words: Typed): FieldTexts {
  const found: FieldTexts = {};
  for (const field of ['name', 'address', 'town', 'directions'] as const) {
    const text = words[field].trim();
    if (text === '' && field !== 'directions') found[field] = m.practice_required();
    else if (text.length > limits[field]) found[field] = m.practice_long({ max: limits[field] });
  }
  const [latitude, longitude] = [words.latitude.trim(), words.longitude.trim()];
  const given = latitude !== '' || longitude !== '';
  if (given && !(isDegrees(latitude, 90) && isDegrees(longitude, 180)))
    found.coordinates = m.places_coordinates_bad();
  return found;
}

function isDegrees(text: string, most: number): boolean {
  return text !== '' && Math.abs(Number(text)) <= most;
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'coordinates') return m.places_coordinates_bad();
  if (!['name', 'address', 'town', 'directions'].includes(field)) return undefined;
  return reason === 'required' || reason === 'too_small' ? m.practice_required() : m.practice_bad();
}
