import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { Unreachable } from '#/web/unreachable.ts';
import { largestAttachment } from './attachment-limits.ts';

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A size in bytes, in kB or MB as the largest one is counted. */
export function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000
    ? m.messaging_file_kb({ size: numbers.format(Math.max(1, Math.round(kilobytes))) })
    : m.messaging_file_mb({ size: numbers.format(kilobytes / 1024) });
}

/** Why a file wasn't taken, and what to do. */
export function uploadFailureText(error: unknown): string {
  if (error instanceof Unreachable) return m.messaging_file_unreachable();
  if (!(error instanceof AppError)) return m.messaging_file_failed();
  if (error.fields.some(({ field }) => field === 'name')) return m.messaging_file_name();
  if (error.code === 'unauthenticated') return m.messaging_file_signed_out();
  if (error.reason === 'busy') return m.messaging_file_busy();
  if (error.code === 'rate_limited') return m.messaging_file_many();
  if (error.code === 'precondition' || error.code === 'not_found') return m.messaging_file_closed();
  switch (error.reason) {
    case 'file_empty':
      return m.messaging_file_empty();
    case 'file_too_large':
      return m.messaging_file_too_large({ size: sizeText(largestAttachment) });
    case 'file_type':
      return m.messaging_file_type();
    case 'image_too_many_pixels':
      return m.messaging_file_pixels();
    case 'image_unreadable':
      return m.messaging_file_broken();
    case 'too_much_unsent':
      return m.messaging_file_much();
    default:
      return m.messaging_file_failed();
  }
}

/** Whether sending the same file again may help. */
export function mayRetry(error: unknown): boolean {
  return (
    !(error instanceof AppError) || ['rate_limited', 'unauthenticated', 'unavailable'].includes(error.code)
  );
}
