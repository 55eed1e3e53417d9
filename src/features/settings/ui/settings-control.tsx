import { useMemo } from 'react';
import { m } from '#/texts/messages.js';
import { Switch } from '#/web/components/choice.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, Select, TextInput } from '#/web/components/field.tsx';
import { presentZone, timeZoneOffers } from '#/web/zones.ts';
import { valueText, type SettingField } from './settings-fields.ts';

export function SettingControl({
  field,
  shown,
  saved,
  changed,
  error,
  onChange,
}: {
  field: SettingField;
  shown: string | boolean;
  saved: string | number | boolean;
  changed: boolean;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
}) {
  const hint = (
    <>
      {field.hint}
      {changed && (
        <span className="mt-0.5 block font-semibold text-primary">
          {m.settings_unsaved_mark({ value: valueText(field.id, saved) })}
        </span>
      )}
    </>
  );
  if (field.kind === 'switch') {
    return (
      <Switch
        name={field.id}
        label={field.label()}
        description={hint}
        checked={shown === true}
        onChange={({ target }) => onChange(target.checked)}
        className="sm:col-span-2"
      />
    );
  }
  const value = String(shown);
  return (
    <Field label={field.label()} hint={hint} error={error}>
      {field.kind === 'zone' && <ZoneInput name={field.id} value={value} onChange={onChange} />}
      {field.kind === 'choice' && (
        <Select name={field.id} value={value} onChange={({ target }) => onChange(target.value)}>
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
      {(field.kind === 'text' || field.kind === 'email' || field.kind === 'number') && (
        <TextInput
          name={field.id}
          type={field.kind === 'email' ? 'email' : 'text'}
          inputMode={field.kind === 'number' ? 'numeric' : undefined}
          autoComplete="off"
          required
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

function ZoneInput({
  name,
  value,
  onChange,
}: {
  name: string;
  value: string;
  onChange: (zone: string) => void;
}) {
  const zones = useMemo(() => timeZoneOffers(), []);
  return (
    <Combobox
      name={name}
      autoComplete="off"
      required
      value={presentZone(value)}
      onChange={onChange}
      offers={zones}
    />
  );
}
