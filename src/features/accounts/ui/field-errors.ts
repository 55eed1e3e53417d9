import { m } from '#/texts/messages.js';
import { fieldTexts, isRefusal, type FieldTexts } from '#/web/failures.ts';

/** Finds empty fields, obvious typos in emails and passwords shorter than `least`. */
export function typedErrors(typed: Readonly<Record<string, string>>, least = 1): FieldTexts {
  const found: FieldTexts = {};
  for (const [field, value] of Object.entries(typed)) {
    const reason = reasonOf(field, value, least);
    if (reason) found[field] = identityText(field, reason, least);
  }
  return found;
}

function reasonOf(field: string, value: string, least: number): string | null {
  if (isPassword(field)) return value === '' ? 'required' : value.length < least ? 'too_small' : null;
  if (value.trim() === '') return 'required';
  // Only catches obvious typos; the server validates.
  return field === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()) ? 'bad_format' : null;
}

/** `least` is the minimum password length, unless the server names another. */
export function refusedErrors(error: unknown, least: number): FieldTexts {
  if (!isRefusal(error)) return {};
  if (error.reason === 'wrong_credentials') return { password: m.accounts_error_wrong_credentials() };
  if (error.reason === 'account_exists') return { email: m.accounts_error_exists() };
  const shortest = typeof error.data.least === 'number' ? error.data.least : least;
  return fieldTexts(error, (field, reason) => identityText(field, reason, shortest));
}

/** Describes a field of `callIdentity`. */
function identityText(field: string, reason: string, least: number): string | undefined {
  const required = reason === 'required';
  if (field === 'name' && reason === 'too_large') return m.web_too_long({ max: 200 });
  if (field === 'name') return required ? m.accounts_field_name_required() : m.web_text_bad();
  if (field === 'email') return required ? m.accounts_field_email_required() : m.web_email_bad();
  if (field === 'phone') return phoneText(reason);
  if (field === 'code') return proofText(field, reason);
  if (!isPassword(field)) return undefined;
  const texts: Partial<Record<string, () => string>> = {
    required: m.accounts_field_password_required,
    too_large: m.accounts_field_password_long,
    too_common: m.accounts_field_password_common,
    is_yours: m.accounts_field_password_own,
    wrong_password: m.reauthentication_wrong_password,
  };
  return (texts[reason] ?? (() => m.accounts_field_password_short({ min: least })))();
}

export function phoneText(reason: string): string {
  const texts: Partial<Record<string, () => string>> = {
    required: m.accounts_field_phone_required,
    country: m.accounts_field_phone_country,
    not_mobile: m.accounts_field_phone_not_mobile,
    refused: m.accounts_field_phone_refused,
  };
  return (texts[reason] ?? m.accounts_field_phone_bad)();
}

function isPassword(field: string): boolean {
  return field === 'password' || field === 'newPassword';
}

/** Like `proofText`, for people without an app. */
export function backupCodeText(field: string, reason: string): string | undefined {
  if (field !== 'code') return proofText(field, reason);
  return reason === 'required' ? m.second_step_backup_code_missing() : m.second_step_backup_code_wrong();
}

/** Describes what confirms who a person is. */
export function proofText(field: string, reason: string): string | undefined {
  if (field === 'code')
    return reason === 'required' ? m.second_step_code_missing() : m.second_step_code_wrong();
  if (field !== 'password') return undefined;
  return reason === 'required' ? m.accounts_field_password_required() : m.reauthentication_wrong_password();
}

/** Finds the asked proofs that are still empty. */
export function missingProofs<Proof extends string>(
  typed: Readonly<Record<Proof, string>>,
  asked: readonly Proof[],
  sentence = proofText,
): FieldTexts {
  const missing = asked.filter((proof) => typed[proof].trim() === '');
  return Object.fromEntries(missing.map((proof) => [proof, sentence(proof, 'required')]));
}
