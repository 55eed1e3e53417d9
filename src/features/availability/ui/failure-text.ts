import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';

export function failureText(error: unknown): string {
  if (!(error instanceof AppError)) return m.availability_failed_unreachable();
  if (error.code === 'unauthenticated') return m.availability_failed_signed_out();
  if (error.code === 'rate_limited') return m.availability_failed_too_many();
  return m.availability_failed_other();
}
