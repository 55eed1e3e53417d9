import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { Unreachable } from '#/web/unreachable.ts';

export function failureText(error: unknown): string {
  if (error instanceof Unreachable) return m.accounts_failed_unreachable();
  if (error instanceof AppError && error.code === 'unauthenticated') return m.accounts_failed_signed_out();
  if (error instanceof AppError && error.code === 'rate_limited') return m.accounts_error_too_many();
  if (error instanceof AppError && error.reason === 'busy') return m.accounts_error_busy();
  if (error instanceof AppError && error.reason === 'reauthentication_required')
    return m.reauthentication_needed();
  if (error instanceof AppError && error.reason === 'private_locked') return m.private_locked_export();
  return m.accounts_error_unexpected();
}
