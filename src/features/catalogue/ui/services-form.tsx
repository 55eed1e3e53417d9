import { useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Field, Select, Textarea, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { fieldTexts } from '#/web/failures.ts';
import { useFormSaving, type FieldTexts } from '#/web/form-saving.ts';
import type { ManagedService } from '../contract.ts';
import {
  priceText,
  readNumber,
  serviceCategories,
  serviceLimits as limits,
  type ServiceCategory,
} from '../rules.ts';
import {
  LengthPrices,
  lengthPricesOf,
  lengthWords,
  wrongPrices,
  type LengthWords,
} from './length-prices.tsx';
import { servicesProblem } from './services-problem.ts';

export function ServicesForm({ service, onClose }: { service: ManagedService | null; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const saving = useFormSaving(refusedTexts, servicesProblem);
  const { errors } = saving;
  const [words, setWords] = useState<Typed>(() => ({
    title: service?.title ?? '',
    category: service?.category ?? '',
    description: service?.description ?? '',
    duration: String(service?.durationMinutes ?? fallback.duration),
    price: service ? amountText(service.priceCents / 100) : fallback.price,
  }));
  const [prices, setPrices] = useState<LengthWords>(() => lengthWords(service));
  // Notices about unreadable numbers that were replaced.
  const [unread, setUnread] = useState<FieldTexts>({});

  const change = (field: keyof Typed, text: string) => {
    setWords({ ...words, [field]: text });
    if (field === 'duration') setUnread({ ...unread, durationMinutes: undefined });
    if (field === 'price') setUnread({ ...unread, priceCents: undefined });
  };
  const read = (field: 'duration' | 'price') => {
    const { typed, said } = readable(words, [field]);
    setWords(typed);
    setUnread({ ...unread, ...said });
  };
  const save = async (typed: Typed) => {
    const input = {
      title: typed.title,
      category: typed.category as ServiceCategory,
      description: typed.description,
      durationMinutes: Number(typed.duration),
      priceCents: Math.round(Number(typed.price) * 100),
    };
    const lengthPrices = lengthPricesOf(prices, input.durationMinutes);
    const { catalogue } = api;
    try {
      const { title } = service
        ? await catalogue.edit.call({
            ...input,
            lengthPrices,
            serviceId: service.id,
            version: service.version,
          })
        : await catalogue.add.call({ ...input, lengthPrices });
      toast({
        tone: 'success',
        title: service ? m.services_admin_updated() : m.services_admin_added(),
        description: service
          ? m.services_admin_updated_text({ service: title })
          : m.services_admin_added_text({ service: title }),
      });
      onClose();
    } finally {
      // A refusal may mean stale data.
      void queries.invalidateQueries({ queryKey: catalogue.key() });
    }
  };
  const submit = (event: SubmitEvent) => {
    // Show fallback numbers before saving them.
    const { typed, said } = readable(words, ['duration', 'price']);
    setWords(typed);
    setUnread({});
    const missing = { ...said, ...wrongIn(typed), ...wrongPrices(prices, Number(typed.duration)) };
    if (required.some((field) => typed[field].trim() === '')) {
      toast({
        tone: 'destructive',
        title: m.services_admin_missing(),
        description: m.services_admin_missing_text(),
      });
    }
    void saving.submit(event, missing, () => save(typed));
  };
  const control = (field: keyof Typed) => ({
    value: words[field],
    onChange: ({ target }: { target: { value: string } }) => change(field, target.value),
  });

  return (
    <FormDialog
      title={service ? m.services_admin_edit_title() : m.services_admin_add()}
      submitLabel={service ? m.services_admin_save() : m.services_admin_add()}
      failedTitle={m.services_admin_failed()}
      saving={saving}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={m.services_admin_name()} error={errors.title}>
        <TextInput {...control('title')} required autoComplete="off" />
      </Field>
      <Field label={m.services_admin_category()} error={errors.category}>
        <Select {...control('category')} required>
          {words.category === '' && <option value="">{m.services_admin_category_choose()}</option>}
          {serviceCategories.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </Select>
      </Field>
      <Field
        label={m.services_admin_description()}
        hint={m.services_admin_description_hint()}
        error={errors.description}
      >
        <Textarea {...control('description')} required />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2 sm:items-start">
        <Field
          label={m.services_admin_duration()}
          hint={unread.durationMinutes ?? m.services_admin_duration_hint(bounds)}
          error={errors.durationMinutes}
        >
          <TextInput
            {...control('duration')}
            inputMode="numeric"
            autoComplete="off"
            onBlur={() => read('duration')}
          />
        </Field>
        <Field
          label={m.services_admin_price()}
          hint={unread.priceCents ?? m.services_admin_price_hint({ dearest })}
          error={errors.priceCents}
        >
          <TextInput
            {...control('price')}
            inputMode="decimal"
            autoComplete="off"
            onBlur={() => read('price')}
          />
        </Field>
      </div>
      <LengthPrices
        words={prices}
        service={{ durationMinutes: Number(words.duration), priceCents: Number(words.price) * 100 }}
        errors={errors}
        onChange={setPrices}
      />
    </FormDialog>
  );
}

type Typed = Record<'title' | 'category' | 'description' | 'duration' | 'price', string>;

const required = ['title', 'category', 'description'] as const;

/** Fallback for unreadable numbers (administrator spec, section 5). */
const fallback = { duration: '60', price: '0' };
const bounds = { shortest: limits.shortest, longest: limits.longest };
const dearest = priceText(limits.dearestCents);

function amountText(dollars: number): string {
  const cents = Math.round(dollars * 100);
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);
}

/** `said` holds notices about replaced numbers. */
function readable(
  words: Typed,
  fields: readonly ('duration' | 'price')[],
): { typed: Typed; said: FieldTexts } {
  const typed = { ...words };
  const said: FieldTexts = {};
  for (const field of fields) {
    const number = readNumber(words[field]);
    if (number === null) {
      typed[field] = fallback[field];
      if (field === 'duration') said.durationMinutes = m.services_admin_duration_unread();
      else said.priceCents = m.services_admin_price_unread();
    } else typed[field] = field === 'duration' ? String(number) : amountText(number);
  }
  return { typed, said };
}

/** Keys are the contract's field names. */
function wrongIn({ title, category, description, duration, price }: Typed): FieldTexts {
  const found: FieldTexts = {};
  const texts = { title: title.trim(), category, description: description.trim() };
  for (const field of required) if (texts[field] === '') found[field] = m.services_admin_required();
  for (const field of ['title', 'description'] as const) {
    if (texts[field].length > limits[field]) found[field] = m.services_admin_long({ max: limits[field] });
  }
  const minutes = Number(duration);
  if (!Number.isInteger(minutes) || minutes < limits.shortest || minutes > limits.longest)
    found.durationMinutes = m.services_admin_duration_bad(bounds);
  const cents = Number(price) * 100;
  if (!(cents >= 0 && cents <= limits.dearestCents))
    found.priceCents = m.services_admin_price_bad({ dearest });
  return found;
}

function refusedTexts(error: unknown): FieldTexts {
  const shown = ['title', 'category', 'description', 'durationMinutes', 'priceCents'];
  return fieldTexts(error, (field, reason) => {
    if (!shown.includes(field)) return undefined;
    return reason === 'taken' ? m.services_admin_problem_taken() : m.services_admin_problem_bad();
  });
}
