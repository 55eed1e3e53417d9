import type { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';

export type FieldErrors = Partial<Record<string, string>>;

/** `least` is the minimum password length. */
export function typedErrors(typed: Readonly<Record<string, string>>, least: number): FieldErrors {
  const found: FieldErrors = {};
  for (const [field, value] of Object.entries(typed)) {
    const isPassword = /password/i.test(field);
    const reason = reasonOf(isPassword ? value : value.trim(), field, isPassword ? least : 1);
    if (reason) found[field] = sentence(field, reason, least);
  }
  return found;
}

function reasonOf(value: string, field: string, least: number): string | null {
  if (value === '') return 'required';
  if (value.length < least) return 'too_small';
  // Only catches obvious typos; the server validates.
  return field === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? 'bad_format' : null;
}

export function refusedErrors(error: AppError, least: number): FieldErrors {
  if (error.reason === 'wrong_credentials') return { password: m.accounts_error_wrong_credentials() };
  if (error.reason === 'account_exists') return { email: m.accounts_error_exists() };
  const shortest = typeof error.data.least === 'number' ? error.data.least : least;
  return Object.fromEntries(
    error.fields.map(({ field, reason }) => [field, sentence(field, reason, shortest)]),
  );
}

function sentence(field: string, reason: string, least: number): string {
  if (field === 'name')
    return reason === 'required' ? m.accounts_field_name_required() : m.accounts_field_name_bad();
  if (field === 'email')
    return reason === 'required' ? m.accounts_field_email_required() : m.accounts_field_email_bad();
  if (reason === 'required') return m.accounts_field_password_required();
  switch (reason) {
    case 'too_large':
      return m.accounts_field_password_long();
    case 'too_common':
      return m.accounts_field_password_common();
    case 'is_yours':
      return m.accounts_field_password_own();
    case 'wrong_password':
      return m.reauthentication_wrong_password();
    default:
      return m.accounts_field_password_short({ min: least });
  }
}

/** Describes the password or code that confirms who a person is. */
export function proofText(field: string, reason: string): string | undefined {
  if (field === 'code')
    return reason === 'required' ? m.second_step_code_missing() : m.second_step_code_wrong();
  if (field !== 'password') return undefined;
  return reason === 'required' ? m.accounts_field_password_required() : m.reauthentication_wrong_password();
}
