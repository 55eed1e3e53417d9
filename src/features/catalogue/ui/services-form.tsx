import { useQueryClient } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import addLimits from 'virtual:limits/catalogue.add';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Field, TextInput, TextField, TextareaField, SelectField } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { FieldTexts } from '#/web/failures.ts';
import { useEditedVersion } from '#/web/edited-version.ts';
import { useForm, type Form } from '#/web/form.tsx';
import { withOptional } from '#/web/limits.ts';
import type { ManagedService, ServiceInput } from '../contract.ts';
import { serviceCategories, priceText, readNumber, type ServiceCategory } from '../rules.ts';
import { serviceFailureText } from './failure-text.ts';
import { priceOf, usualLengths } from '../prices/rules.ts';

/** `latest` is the edited service as last loaded. */
export function ServicesForm({
  service,
  latest,
  onClose,
}: {
  service: ManagedService | null;
  latest: ManagedService | null;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const edited = useEditedVersion(latest?.version ?? 0, inputOf(valuesOf(latest)));
  /** Which numbers were replaced on leaving their field. */
  const [unread, setUnread] = useState<FieldTexts>({});

  const save = async (values: ServiceValues) => {
    const input = inputOf(values);
    const { catalogue } = api;
    edited.sending(input);
    try {
      const { title } = service
        ? await catalogue.edit.call({ ...input, serviceId: service.id, version: edited.base })
        : await catalogue.add.call(input);
      toast.done(
        service ? m.services_admin_updated() : m.services_admin_added(),
        service
          ? m.services_admin_updated_text({ service: title })
          : m.services_admin_added_text({ service: title }),
      );
      onClose();
    } finally {
      // A refusal may mean stale data.
      void queries.invalidateQueries({ queryKey: catalogue.key() });
    }
  };
  const form = useForm<ServiceValues>({
    values: valuesOf(service),
    limits,
    input: checkedInput,
    check,
    sentence,
    failureText: serviceFailureText,
    onInvalid: () => {
      if (isIncomplete(form.getValues())) toast.failed(m.web_missing_information(), m.web_required_fields());
      tidy('durationMinutes');
      tidy('priceCents');
    },
    save,
  });
  const { field, register, errorOf } = form;
  const tidy = (name: NumberField) => form.setValue(name, tidyNumber(name, form.getValues(name)));
  const numberInput = (name: NumberField): ComponentProps<'input'> => {
    const { onChange, onBlur, ...rest } = register(name);
    return {
      ...rest,
      autoComplete: 'off',
      onChange: (event) => {
        setUnread({ ...unread, [name]: undefined });
        void onChange(event);
      },
      onBlur: (event) => {
        setUnread({ ...unread, ...unreadText(form.getValues(), name) });
        tidy(name);
        void onBlur(event);
      },
    };
  };

  return (
    <FormDialog
      title={service ? m.services_admin_edit_title() : m.services_admin_add()}
      submitLabel={service ? m.settings_save() : m.services_admin_add()}
      form={form}
      onClose={onClose}
    >
      <TextField label={m.web_name()} {...field('title')} required autoComplete="off" />
      <SelectField label={m.web_category()} {...field('category')} required>
        {form.watch('category') === '' && <option value="">{m.services_admin_category_choose()}</option>}
        {serviceCategories.map((category) => (
          <option key={category}>{category}</option>
        ))}
      </SelectField>
      <TextareaField label={m.services_admin_description()} {...field('description')} required />
      <div className="grid gap-5 sm:grid-cols-2 sm:items-start">
        <Field
          label={m.services_admin_duration()}
          hint={unread['durationMinutes'] ?? m.services_admin_duration_hint(bounds)}
          error={errorOf('durationMinutes')}
        >
          <TextInput {...numberInput('durationMinutes')} inputMode="numeric" />
        </Field>
        <Field
          label={m.services_admin_price()}
          hint={unread['priceCents'] ?? m.services_admin_price_hint({ dearest })}
          error={errorOf('priceCents')}
        >
          <TextInput {...numberInput('priceCents')} inputMode="decimal" />
        </Field>
      </div>
      <LengthPrices form={form} />
    </FormDialog>
  );
}

/** Empty fields show the prorated price. Skips the service's own length, priced in its own field. */
function LengthPrices({ form: { field, watch } }: { form: Form<ServiceValues> }) {
  const { durationMinutes, priceCents } = checkedInput(watch());
  const service = { durationMinutes, priceCents, lengthPrices: [] };
  const known = durationMinutes > 0 && Number.isFinite(priceCents);
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1 font-semibold">{m.services_admin_prices()}</legend>
      <p className="text-sm text-quiet">{m.services_admin_prices_hint()}</p>
      <div className="grid gap-5 sm:grid-cols-3 sm:items-start">
        {usualLengths.map(
          (minutes, index) =>
            minutes !== durationMinutes && (
              <TextField
                key={minutes}
                label={m.services_admin_price_length({ minutes })}
                hint={
                  known && m.services_admin_price_length_hint({ price: priceText(priceOf(service, minutes)) })
                }
                {...field(`lengthPrices.${index}.priceCents`)}
                inputMode="decimal"
                autoComplete="off"
              />
            ),
        )}
      </div>
    </fieldset>
  );
}

/** As typed: prices in dollars. */
interface ServiceValues {
  title: string;
  category: ServiceCategory | '';
  description: string;
  durationMinutes: string;
  priceCents: string;
  /** One for each usual length; prorated if empty. */
  lengthPrices: { minutes: number; priceCents: string }[];
}

type NumberField = 'durationMinutes' | 'priceCents';

const limits = withOptional(addLimits, 'lengthPrices.*.priceCents');
const bounds = { shortest: limits['durationMinutes']!.min!, longest: limits['durationMinutes']!.max! };
const dearest = priceText(limits['priceCents']!.max!);

/** Replaces unreadable numbers (administrator spec, section 5). */
const fallback: Readonly<Record<NumberField, string>> = { durationMinutes: '60', priceCents: '0' };

function valuesOf(service: ManagedService | null): ServiceValues {
  return {
    title: service?.title ?? '',
    category: service?.category ?? '',
    description: service?.description ?? '',
    durationMinutes: service ? String(service.durationMinutes) : fallback.durationMinutes,
    priceCents: service ? amountText(service.priceCents / 100) : fallback.priceCents,
    lengthPrices: usualLengths.map((minutes) => {
      const price = service?.lengthPrices.find((one) => one.minutes === minutes);
      return { minutes, priceCents: price ? String(price.priceCents / 100) : '' };
    }),
  };
}

/** Unreadable numbers become NaN, which the limits refuse; empty prices and the service's own length null. */
function checkedInput(values: ServiceValues) {
  const durationMinutes = readNumber(values.durationMinutes) ?? Number.NaN;
  return {
    ...values,
    durationMinutes,
    priceCents: centsOf(values.priceCents),
    lengthPrices: values.lengthPrices.map(({ minutes, priceCents }) => ({
      minutes,
      priceCents: minutes === durationMinutes || priceCents.trim() === '' ? null : centsOf(priceCents),
    })),
  };
}

function inputOf(values: ServiceValues): ServiceInput {
  const { category, lengthPrices, ...rest } = checkedInput(values);
  return {
    ...rest,
    category: category as ServiceCategory,
    lengthPrices: lengthPrices.flatMap(({ minutes, priceCents }) =>
      priceCents === null ? [] : [{ minutes, priceCents }],
    ),
  };
}

function isIncomplete({ title, category, description }: ServiceValues): boolean {
  return [title, category, description].some((text) => text.trim() === '');
}

function check(values: ServiceValues): FieldTexts {
  return {
    ...(values.category === '' ? { category: m.web_fill_in() } : {}),
    ...unreadText(values, 'durationMinutes'),
    ...unreadText(values, 'priceCents'),
  };
}

/** Which number replaces one that can't be read. */
function unreadText(values: Pick<ServiceValues, NumberField>, field: NumberField): FieldTexts {
  if (readNumber(values[field]) !== null) return {};
  const text =
    field === 'durationMinutes' ? m.services_admin_duration_unread() : m.services_admin_price_unread();
  return { [field]: text };
}

/** Formats a readable number, or returns its fallback. */
function tidyNumber(field: NumberField, text: string): string {
  const number = readNumber(text);
  if (number === null) return fallback[field];
  return field === 'durationMinutes' ? String(number) : amountText(number);
}

function sentence(field: string, reason: string): string | undefined {
  if (reason === 'taken') return m.services_admin_problem_taken();
  if (field === 'durationMinutes') return m.services_admin_duration_bad(bounds);
  if (field === 'priceCents' || field.startsWith('lengthPrices.'))
    return m.services_admin_price_bad({ dearest });
  if (!['title', 'category', 'description'].includes(field)) return undefined;
  if (reason === 'required' || reason === 'too_small') return m.web_fill_in();
  return m.services_admin_problem_bad();
}

function centsOf(dollars: string): number {
  return Math.round((readNumber(dollars) ?? Number.NaN) * 100);
}

function amountText(dollars: number): string {
  const cents = Math.round(dollars * 100);
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);
}
