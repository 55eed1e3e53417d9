import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { Unreachable } from '#/web/unreachable.ts';
import { largestAttachment } from './attachment-limits.ts';

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** Formats bytes as kB or MB, 1,024-based like the upload limit. */
export function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000
    ? m.messaging_file_kb({ size: numbers.format(Math.max(1, Math.round(kilobytes))) })
    : m.messaging_file_mb({ size: numbers.format(kilobytes / 1024) });
}

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

export function mayRetry(error: unknown): boolean {
  return (
    !(error instanceof AppError) || ['rate_limited', 'unauthenticated', 'unavailable'].includes(error.code)
  );
}
