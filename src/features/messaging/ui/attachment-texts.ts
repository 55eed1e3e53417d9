import { m } from '#/texts/messages.js';
import { failureCode, failureText, fieldProblems } from '#/web/failures.ts';
import { maxAttachmentBytes } from '../rules.ts';

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** Formats bytes as kB or MB, 1,024-based like the upload limit. */
export function sizeText(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000
    ? m.web_kb({ size: numbers.format(Math.max(1, Math.round(kilobytes))) })
    : m.web_mb({ size: numbers.format(kilobytes / 1024) });
}

export function uploadFailureText(error: unknown): string {
  if (fieldProblems(error).some(({ field }) => field === 'name')) return m.messaging_file_name();
  return failureText(error, {
    unreachable: m.messaging_file_unreachable,
    unauthenticated: m.messaging_file_signed_out,
    rate_limited: m.messaging_file_many,
    precondition: m.messaging_failed_closed,
    not_found: m.messaging_failed_closed,
    file_empty: m.web_file_empty,
    file_too_large: () => m.messaging_file_too_large({ size: sizeText(maxAttachmentBytes) }),
    file_type: m.messaging_file_type,
    image_too_many_pixels: m.messaging_file_pixels,
    image_unreadable: m.messaging_file_broken,
    too_much_unsent: m.messaging_file_much,
    other: m.messaging_file_failed,
  });
}

export function mayRetry(error: unknown): boolean {
  const code = failureCode(error);
  return code === null || ['rate_limited', 'unauthenticated', 'unavailable'].includes(code);
}
