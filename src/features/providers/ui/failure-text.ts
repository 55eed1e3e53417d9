import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { Unreachable } from '#/web/unreachable.ts';

const texts: Readonly<Record<string, () => string>> = {
  changed: m.practice_changed_text,
  credential_waiting: m.credentials_conflict_waiting,
  credentials_full: m.credentials_conflict_full,
  not_approved: m.credentials_conflict_replaced,
  places_full: m.places_full,
  decided: m.credentials_problem_decided_text,
  credential: m.credentials_problem_gone_text,
};

/** Why something couldn't be done, where no field of it can be mended. */
export function failureText(error: unknown): string {
  if (error instanceof Unreachable) return m.accounts_failed_unreachable();
  if (error instanceof AppError && error.code === 'unauthenticated') return m.accounts_failed_signed_out();
  if (error instanceof AppError && error.code === 'rate_limited') return m.accounts_error_too_many();
  const known = error instanceof AppError && Object.hasOwn(texts, error.reason) ? texts[error.reason] : null;
  return known?.() ?? m.accounts_error_unexpected();
}
