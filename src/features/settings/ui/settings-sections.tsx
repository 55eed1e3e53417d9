import { ChevronDown } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Card } from '#/web/components/card.tsx';
import type { Form } from '#/web/form.tsx';
import type { SettingId, SiteSettings } from '../rules.ts';
import {
  findSettings,
  settingName,
  settingSections,
  valueText,
  type SettingField,
} from './settings-fields.ts';
import type { SettingValues } from './settings-values.ts';
import { m } from '#/texts/messages.js';
import { Switch } from '#/web/components/choice.tsx';
import { classes } from '#/web/components/classes.ts';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, Select, TextInput } from '#/web/components/field.tsx';
import { SearchField } from '#/web/components/search-field.tsx';
import { presentZone, timeZoneOffers } from '#/web/zones.ts';

/** All sections; while searching, only settings that match or aren't saved yet. */
export function SettingsSections({
  form,
  saved,
  changed,
  words,
  twoFactor,
}: {
  form: Form<SettingValues>;
  saved: SiteSettings;
  changed: readonly SettingId[];
  /** Searched for; empty shows everything. */
  words: string;
  /** Follows the switch that requires a second factor. */
  twoFactor: ReactNode;
}) {
  return settingSections.map((section) => {
    const { id, title, fields } = section;
    const found = findSettings(section, words);
    const unsaved = fields.filter((field) => changed.includes(field.id));
    const shown = fields.filter((field) => found.includes(field) || unsaved.includes(field));
    if (shown.length === 0) return null;
    return (
      <SettingsSection
        key={id}
        id={id}
        title={title()}
        opened={words !== '' || unsaved.length > 0}
        values={<SettingValuesList fields={shown} saved={saved} />}
      >
        {shown.map((field) => (
          <Fragment key={field.id}>
            <SettingControl
              form={form}
              field={field}
              saved={saved[field.id]}
              changed={unsaved.includes(field)}
            />
            {field.id === 'requireTwoFactor' && <div className="sm:col-span-2">{twoFactor}</div>}
          </Fragment>
        ))}
      </SettingsSection>
    );
  });
}

export function SettingsSearch({ words, onSearch }: { words: string; onSearch: (words: string) => void }) {
  const count = settingSections.flatMap((section) => findSettings(section, words)).length;
  return (
    <search className="mb-4 block max-w-reading lg:mb-6">
      <SearchField label={m.settings_search()} value={words} onSearch={onSearch} maxLength={80} />
      <p role="status" className={classes(count > 0 && 'sr-only', 'mt-3 text-quiet')}>
        {words && (count > 0 ? m.settings_search_found({ count }) : m.settings_search_none({ words }))}
      </p>
    </search>
  );
}

function SettingsSection({
  id,
  title,
  opened,
  values,
  children,
}: {
  id: string;
  title: string;
  /** Keeps it open, such as with unsaved changes. */
  opened: boolean;
  /** Stand in for the folded fields. */
  values: ReactNode;
  children: ReactNode;
}) {
  const linked = useLocation().hash === `#settings-${id}`;
  const fold = useRef<HTMLButtonElement>(null);
  const [pressed, setPressed] = useState(linked);
  const open = opened || pressed;
  // The browser looked for this section before it was loaded.
  useEffect(() => {
    if (linked) fold.current!.focus();
  }, [linked]);
  return (
    <Card as="section" aria-labelledby={`settings-${id}`} className="relative px-4! py-2! sm:px-6!">
      <h3 id={`settings-${id}`} className="text-lg">
        {/* Folded, all of the card opens it. */}
        <button
          ref={fold}
          type="button"
          aria-expanded={open}
          onClick={() => setPressed(opened ? pressed : !pressed)}
          className={classes(
            'flex min-h-11 w-full scroll-mt-24 items-center justify-between gap-3 rounded-card text-left',
            !open && 'after:absolute after:inset-0',
          )}
        >
          {title}
          <ChevronDown
            aria-hidden
            className={classes('size-5 shrink-0 text-quiet transition-transform', open && 'rotate-180')}
          />
        </button>
      </h3>
      {open ? (
        <div className="mt-2 grid gap-x-6 gap-y-5 pb-2 sm:grid-cols-2 sm:pb-4">{children}</div>
      ) : (
        values
      )}
    </Card>
  );
}

function SettingValuesList({ fields, saved }: { fields: readonly SettingField[]; saved: SiteSettings }) {
  return (
    <dl className="gap-x-16 pb-1 text-sm max-sm:hidden lg:grid lg:grid-cols-2">
      {fields.map(({ id }) => (
        <div key={id} className="flex justify-between gap-4 max-xs:block">
          <dt className="shrink-0 text-quiet">{settingName(id)}</dt>
          <dd className="truncate">{valueText(id, saved[id])}</dd>
        </div>
      ))}
    </dl>
  );
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
  const hint = (changed || field.hint) && (
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
