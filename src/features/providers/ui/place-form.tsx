import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import limits from 'virtual:limits/providers.places.add';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Field, FieldError, Textarea, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { newKey } from '#/web/request-key.ts';
import type { OwnPlace, PlaceInput } from '../places/contract.ts';
import { refusedText, useProviderForm } from './provider-form.ts';

interface Values {
  name: string;
  address: string;
  town: string;
  directions: string;
  coordinates: { latitude: string; longitude: string };
}

export function PlaceForm({ place, onClose }: { place: OwnPlace | null; onClose: () => void }) {
  const queries = useQueryClient();
  const id = useId();
  const [placeId] = useState(() => place?.id ?? newKey());
  const form = useProviderForm<Values>({
    values: {
      name: place?.name ?? '',
      address: place?.address ?? '',
      town: place?.town ?? '',
      directions: place?.directions ?? '',
      coordinates: {
        latitude: place?.coordinates?.latitude.toString() ?? '',
        longitude: place?.coordinates?.longitude.toString() ?? '',
      },
    },
    limits,
    input: inputOf,
    sentence,
    save: async (values) => {
      const { places } = api.providers;
      await (place ? places.edit : places.add).call({ ...inputOf(values), placeId });
      toast.done(m.places_saved());
      void queries.invalidateQueries({ queryKey: places.key() });
      onClose();
    },
  });
  const { register, errorOf } = form;
  const coordinatesError = errorOf('coordinates.latitude') ?? errorOf('coordinates.longitude');
  const degrees = (field: 'latitude' | 'longitude') => ({
    ...register(`coordinates.${field}`),
    inputMode: 'decimal' as const,
    autoComplete: 'off',
    'aria-invalid': coordinatesError ? true : undefined,
    'aria-describedby': `${id}-hint${coordinatesError ? ` ${id}-error` : ''}`,
  });

  return (
    <FormDialog
      title={place ? m.places_dialog_edit() : m.places_add()}
      submitLabel={m.places_save()}
      form={form}
      onClose={onClose}
    >
      <Field label={m.web_name()} hint={m.places_field_name_hint()} error={errorOf('name')}>
        <TextInput {...register('name')} required autoComplete="off" />
      </Field>
      <Field label={m.places_field_address()} error={errorOf('address')}>
        <Textarea {...register('address')} rows={2} required className="min-h-20" />
      </Field>
      <Field label={m.places_field_town()} hint={m.places_field_town_hint()} error={errorOf('town')}>
        <TextInput {...register('town')} required autoComplete="off" />
      </Field>
      <Field label={m.places_field_directions()} error={errorOf('directions')} optional>
        <Textarea {...register('directions')} rows={3} className="min-h-20" />
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
        {coordinatesError && <FieldError id={`${id}-error`}>{coordinatesError}</FieldError>}
      </fieldset>
    </FormDialog>
  );
}

/** Coordinates are optional, but only together. Unreadable ones become NaN, which the limits refuse. */
function inputOf({ coordinates, ...rest }: Values): PlaceInput {
  const { latitude, longitude } = coordinates;
  if (latitude.trim() === '' && longitude.trim() === '') return rest;
  return { ...rest, coordinates: { latitude: degreesOf(latitude), longitude: degreesOf(longitude) } };
}

function degreesOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

function sentence(field: string, reason: string): string | undefined {
  return field.startsWith('coordinates') ? m.places_coordinates_bad() : refusedText(limits, field, reason);
}
