import { useQueryClient } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Field, Select, Textarea, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { FieldTexts } from '#/web/failures.ts';
import { useForm, type Form } from '#/web/form.tsx';
import type { ManagedService } from '../contract.ts';
import { serviceCategories, priceText } from '../rules.ts';
import {
  bounds,
  check,
  checkedInput,
  dearest,
  inputOf,
  isIncomplete,
  limits,
  sentence,
  tidyNumber,
  unreadText,
  valuesOf,
  type NumberField,
  type ServiceValues,
} from './service-values.ts';
import { serviceFailureText } from './failure-text.ts';
import { priceOf, usualLengths } from '../prices/rules.ts';

export function ServicesForm({ service, onClose }: { service: ManagedService | null; onClose: () => void }) {
  const queries = useQueryClient();
  /** Which numbers were replaced on leaving their field. */
  const [unread, setUnread] = useState<FieldTexts>({});

  const save = async (values: ServiceValues) => {
    const input = inputOf(values);
    const { catalogue } = api;
    try {
      const { title } = service
        ? await catalogue.edit.call({ ...input, serviceId: service.id, version: service.version })
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
      if (isIncomplete(form.getValues()))
        toast.failed(m.services_admin_missing(), m.services_admin_missing_text());
      tidy('durationMinutes');
      tidy('priceCents');
    },
    save,
  });
  const { register, errorOf } = form;
  const tidy = (field: NumberField) => form.setValue(field, tidyNumber(field, form.getValues(field)));
  const numberInput = (field: NumberField): ComponentProps<'input'> => {
    const { onChange, onBlur, ...rest } = register(field);
    return {
      ...rest,
      autoComplete: 'off',
      onChange: (event) => {
        setUnread({ ...unread, [field]: undefined });
        void onChange(event);
      },
      onBlur: (event) => {
        setUnread({ ...unread, ...unreadText(form.getValues(), field) });
        tidy(field);
        void onBlur(event);
      },
    };
  };

  return (
    <FormDialog
      title={service ? m.services_admin_edit_title() : m.services_admin_add()}
      submitLabel={service ? m.services_admin_save() : m.services_admin_add()}
      form={form}
      onClose={onClose}
    >
      <Field label={m.services_admin_name()} error={errorOf('title')}>
        <TextInput {...register('title')} required autoComplete="off" />
      </Field>
      <Field label={m.services_admin_category()} error={errorOf('category')}>
        <Select {...register('category')} required>
          {form.watch('category') === '' && <option value="">{m.services_admin_category_choose()}</option>}
          {serviceCategories.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </Select>
      </Field>
      <Field
        label={m.services_admin_description()}
        hint={m.services_admin_description_hint()}
        error={errorOf('description')}
      >
        <Textarea {...register('description')} required />
      </Field>
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
function LengthPrices({ form: { register, errorOf, watch } }: { form: Form<ServiceValues> }) {
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
              <Field
                key={minutes}
                label={m.services_admin_price_length({ minutes })}
                hint={
                  known && m.services_admin_price_length_hint({ price: priceText(priceOf(service, minutes)) })
                }
                error={errorOf(`lengthPrices.${index}.priceCents`)}
              >
                <TextInput
                  {...register(`lengthPrices.${index}.priceCents`)}
                  inputMode="decimal"
                  autoComplete="off"
                />
              </Field>
            ),
        )}
      </div>
    </fieldset>
  );
}
