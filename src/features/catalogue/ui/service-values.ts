import addLimits from 'virtual:limits/catalogue.add';
import { m } from '#/texts/messages.js';
import type { FieldTexts } from '#/web/failures.ts';
import { withOptional } from '#/web/limits.ts';
import type { ManagedService, ServiceInput } from '../contract.ts';
import { usualLengths } from '../prices/rules.ts';
import { priceText, readNumber, type ServiceCategory } from '../rules.ts';

/** As typed: prices in dollars. */
export interface ServiceValues {
  title: string;
  category: ServiceCategory | '';
  description: string;
  durationMinutes: string;
  priceCents: string;
  /** One for each usual length; prorated if empty. */
  lengthPrices: { minutes: number; priceCents: string }[];
}

export type NumberField = 'durationMinutes' | 'priceCents';

export const limits = withOptional(addLimits, 'lengthPrices.*.priceCents');
export const bounds = { shortest: limits['durationMinutes']!.min!, longest: limits['durationMinutes']!.max! };
export const dearest = priceText(limits['priceCents']!.max!);

/** Replaces unreadable numbers (administrator spec, section 5). */
const fallback: Readonly<Record<NumberField, string>> = { durationMinutes: '60', priceCents: '0' };

export function valuesOf(service: ManagedService | null): ServiceValues {
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
export function checkedInput(values: ServiceValues) {
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

export function inputOf(values: ServiceValues): ServiceInput {
  const { category, lengthPrices, ...rest } = checkedInput(values);
  return {
    ...rest,
    category: category as ServiceCategory,
    lengthPrices: lengthPrices.flatMap(({ minutes, priceCents }) =>
      priceCents === null ? [] : [{ minutes, priceCents }],
    ),
  };
}

export function isIncomplete({ title, category, description }: ServiceValues): boolean {
  return [title, category, description].some((text) => text.trim() === '');
}

export function check(values: ServiceValues): FieldTexts {
  return {
    ...(values.category === '' ? { category: m.web_fill_in() } : {}),
    ...unreadText(values, 'durationMinutes'),
    ...unreadText(values, 'priceCents'),
  };
}

/** Which number replaces one that can't be read. */
export function unreadText(values: Pick<ServiceValues, NumberField>, field: NumberField): FieldTexts {
  if (readNumber(values[field]) !== null) return {};
  const text =
    field === 'durationMinutes' ? m.services_admin_duration_unread() : m.services_admin_price_unread();
  return { [field]: text };
}

/** Formats a readable number, or returns its fallback. */
export function tidyNumber(field: NumberField, text: string): string {
  const number = readNumber(text);
  if (number === null) return fallback[field];
  return field === 'durationMinutes' ? String(number) : amountText(number);
}

export function sentence(field: string, reason: string): string | undefined {
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
