import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { Unreachable } from '#/web/unreachable.ts';

const texts: Readonly<Record<string, () => string>> = {
  changed: m.services_admin_problem_changed,
  services_full: m.services_admin_problem_full,
  service: m.services_admin_problem_gone,
  service_in_use: m.services_admin_problem_in_use,
};

/** Error text for failures no form field can fix. */
export function servicesProblem(error: unknown): string {
  if (error instanceof Unreachable) return m.accounts_failed_unreachable();
  if (error instanceof AppError && error.code === 'unauthenticated') return m.accounts_failed_signed_out();
  const known = error instanceof AppError && Object.hasOwn(texts, error.reason) ? texts[error.reason] : null;
  return known?.() ?? m.accounts_error_unexpected();
}
