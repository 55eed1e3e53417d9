import { refusalOf } from '#/kernel/problem.ts';
import { m } from '#/texts/messages.js';
import { failureText, type FailureTexts, Unreachable } from '#/web/failures.ts';
import { deadlineText } from '#/web/times.ts';
import type { IdentityAnswer, IdentityInput, IdentityPath } from '../identity/contract.ts';

/** Calls a sign-in endpoint. Throws AppError for a rejection, Unreachable without a valid response. */
export async function callIdentity<P extends IdentityPath>(
  path: P,
  input: IdentityInput<P>,
): Promise<IdentityAnswer> {
  const response = await answered(
    fetch(`/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    }),
  );
  if (response.ok) return (await answered(response.json())) as IdentityAnswer;
  throw refusalOf(await response.json().catch(() => null)) ?? new Error('internal server error');
}

async function answered<T>(answer: Promise<T>): Promise<T> {
  return answer.catch(() => {
    throw new Unreachable('the server gave no answer');
  });
}

export const identityFailures: FailureTexts = {
  sign_in_locked: m.accounts_error_locked,
  rate_limited: m.accounts_error_too_many,
  wrong_credentials: m.accounts_error_wrong_credentials,
  email_unverified: m.accounts_error_unverified,
  account_suspended: m.accounts_error_suspended,
  address_held: ({ data }) => m.accounts_error_held({ until: deadlineText(String(data.until)) }),
  address_changed: ({ data }) =>
    m.accounts_error_address_changed({ until: deadlineText(String(data.until)) }),
  account_exists: m.accounts_error_exists,
  code_expired: m.accounts_error_code_expired,
  code_spent: m.accounts_error_code_spent,
  sign_in_code_off: m.accounts_error_code_off,
  texted_codes_off: m.accounts_error_texted_code_off,
  texts_down: m.accounts_error_texts_down,
  too_many_texts: m.accounts_error_too_many_texts,
  passkey_expired: m.accounts_error_passkey_expired,
  wrong_passkey: m.accounts_error_wrong_passkey,
  passkey_copied: m.accounts_error_passkey_copied,
  passkeys_off: m.accounts_error_passkeys_off,
  provider: m.accounts_error_provider_gone,
  provider_account_exists: ({ data }) =>
    m.accounts_error_provider_account_exists({ label: String(data.label) }),
  provider_address_unverified: ({ data }) =>
    m.accounts_error_provider_address_unverified({ label: String(data.label) }),
  provider_canceled: ({ data }) => m.accounts_error_provider_canceled({ label: String(data.label) }),
  provider_domain: ({ data }) => m.accounts_error_provider_domain({ label: String(data.label) }),
  provider_down: m.accounts_error_provider_down,
  provider_expired: m.accounts_error_provider_expired,
  provider_password_first: ({ data }) =>
    m.accounts_error_provider_password_first({ label: String(data.label) }),
  provider_refused: ({ data }) => m.accounts_error_provider_refused({ label: String(data.label) }),
  wallet_contract: m.accounts_error_wallet_contract,
  wallet_refused: m.accounts_error_wallet_refused,
  wallet_unknown: m.accounts_error_wallet_unknown,
  link_expired: m.accounts_error_link,
  fields: m.accounts_error_fields,
};

export function identityErrorText(error: unknown, general: FailureTexts = {}): string {
  return failureText(error, { ...general, ...identityFailures });
}
