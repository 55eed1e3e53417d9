import { AppError } from '#/kernel/errors.ts';
import { refusalOf } from '#/kernel/problem.ts';
import { m } from '#/texts/messages.js';
import { deadlineText } from '#/web/times.ts';
import { Unreachable } from '#/web/unreachable.ts';
import type { IdentityAnswer, IdentityInput, IdentityPath } from '../identity/contract.ts';

/** Calls a sign-in endpoint. Throws AppError for a rejection, Unreachable without a valid response. */
export async function callIdentity<P extends IdentityPath>(
  path: P,
  input: IdentityInput<P>,
): Promise<IdentityAnswer> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    body = await response.json();
  } catch {
    throw new Unreachable('the server gave no answer');
  }
  if (response.ok) return body as IdentityAnswer;
  throw refusalOf(body) ?? new Error('the server met a defect');
}

export function identityErrorText(error: unknown): string {
  if (error instanceof Unreachable) return m.accounts_error_unreachable();
  if (!(error instanceof AppError)) return m.accounts_error_unexpected();
  if (error.reason === 'sign_in_locked') return m.accounts_error_locked();
  if (error.code === 'rate_limited') return m.accounts_error_too_many();
  switch (error.reason) {
    case 'wrong_credentials':
      return m.accounts_error_wrong_credentials();
    case 'email_unverified':
      return m.accounts_error_unverified();
    case 'account_suspended':
      return m.accounts_error_suspended();
    case 'address_held':
      return m.accounts_error_held({ until: deadlineText(String(error.data.until)) });
    case 'address_changed':
      return m.accounts_error_address_changed({ until: deadlineText(String(error.data.until)) });
    case 'account_exists':
      return m.accounts_error_exists();
    case 'link_expired':
      return m.accounts_error_link();
    case 'fields':
      return m.accounts_error_fields();
    default:
      return m.accounts_error_unexpected();
  }
}
