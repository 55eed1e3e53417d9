import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';

export function failureText(error: unknown): string {
  if (!(error instanceof AppError)) return m.messaging_failed_unreachable();
  if (error.code === 'unauthenticated') return m.messaging_failed_signed_out();
  if (error.code === 'rate_limited') return m.messaging_failed_many();
  if (error.code === 'not_found') return m.messaging_failed_gone();
  if (error.code === 'invalid') return m.messaging_failed_bad();
  if (error.code === 'precondition' || error.code === 'conflict') return m.messaging_failed_closed();
  return m.messaging_failed_other();
}
