import type { FieldValues } from 'react-hook-form';
import { m } from '#/texts/messages.js';
import type { FieldTexts } from '#/web/failures.ts';
import { useForm, type Form, type FormOptions } from '#/web/form.tsx';
import type { Limits } from '#/web/limits.ts';
import { isExpired } from '../practice/rules.ts';
import { providerFailureText } from './failure-text.ts';

export function useProviderForm<V extends FieldValues>(
  options: Omit<FormOptions<V>, 'failureText'>,
): Form<V> {
  return useForm({ ...options, failureText: providerFailureText });
}

/** Undefined for fields without a limit. */
export function refusedText(limits: Limits, field: string, reason: string): string | undefined {
  const entry = field.replace(/\.\d+$/, '.*');
  const limit = limits[entry];
  if (!limit) return undefined;
  const { kind, max = 0 } = limit;
  if (reason === 'required' || reason === 'too_small')
    return kind === 'list' ? m.web_choose_one() : m.web_fill_in();
  if (field.startsWith('serviceIds')) return m.web_choice_gone();
  if (kind === 'list') return m.practice_words_full({ max });
  if (entry !== field) return reason === 'too_large' ? m.web_too_long({ max }) : m.web_text_bad();
  if (field.endsWith('expiresOn'))
    return reason === 'past' ? m.credentials_date_past() : m.credentials_date_bad();
  return field === 'phone' ? m.practice_phone_bad() : m.web_text_bad();
}

/** Checks the last valid day of a credential. */
export function checkExpiry({ expiresOn }: { expiresOn: string }): FieldTexts {
  const today = new Date().toISOString().slice(0, 10);
  return isExpired(expiresOn || null, today) ? { expiresOn: m.credentials_date_past() } : {};
}
