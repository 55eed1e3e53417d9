import { Fragment, type ReactNode, useMemo } from 'react';
import { Card } from '#/web/components/card.tsx';
import type { Form } from '#/web/form.tsx';
import type { SettingId, SiteSettings } from '../rules.ts';
import { settingSections, valueText, type SettingField } from './settings-fields.ts';
import type { SettingValues } from './settings-values.ts';
import { m } from '#/texts/messages.js';
import { Switch } from '#/web/components/choice.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, Select, TextInput } from '#/web/components/field.tsx';
import { presentZone, timeZoneOffers } from '#/web/zones.ts';

export function SettingsSections({
  form,
  saved,
  changed,
  twoFactor,
}: {
  form: Form<SettingValues>;
  saved: SiteSettings;
  changed: readonly SettingId[];
  /** Follows the switch that requires a second factor. */
  twoFactor: ReactNode;
}) {
  return settingSections.map(({ id, title, fields }) => (
    <Card key={id} as="section" aria-labelledby={`settings-${id}`}>
      <h3 id={`settings-${id}`} className="text-lg">
        {title()}
      </h3>
      <div className="mt-4 grid gap-x-6 gap-y-5 sm:grid-cols-2">
        {fields.map((field) => (
          <Fragment key={field.id}>
            <SettingControl
              form={form}
              field={field}
              saved={saved[field.id]}
              changed={changed.includes(field.id)}
            />
            {field.id === 'requireTwoFactor' && <div className="sm:col-span-2">{twoFactor}</div>}
          </Fragment>
        ))}
      </div>
    </Card>
  ));
}

function SettingControl({
  form: { register, choice, errorOf },
  field,
  saved,
  changed,
}: {
  form: Form<SettingValues>;
  field: SettingField;
  saved: string | number | boolean;
  changed: boolean;
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
      <Switch {...register(field.id)} label={field.label()} description={hint} className="sm:col-span-2" />
    );
  }
  return (
    <Field label={field.label()} hint={hint} error={errorOf(field.id)}>
      {field.kind === 'zone' && <ZoneInput name={field.id} {...choice(field.id)} />}
      {field.kind === 'choice' && (
        <Select {...register(field.id)}>
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
      {(field.kind === 'text' || field.kind === 'email' || field.kind === 'number') && (
        <TextInput
          {...register(field.id)}
          type={field.kind === 'email' ? 'email' : 'text'}
          inputMode={field.kind === 'number' ? 'numeric' : undefined}
          autoComplete="off"
          required
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
  value: string | boolean;
  onChange: (zone: string) => void;
}) {
  const zones = useMemo(() => timeZoneOffers(), []);
  return (
    <Combobox
      name={name}
      autoComplete="off"
      required
      value={presentZone(String(value))}
      onChange={onChange}
      offers={zones}
    />
  );
}
