import { m } from '#/texts/messages.js';
import { fieldProblems } from '#/web/failures.ts';
import { sizeProblem, upload } from '#/web/upload.ts';
import { maxPhotoMegabytes } from '../rules.ts';
import { factBytes, maxPixels, pictureFacts } from '../profile/rules.ts';
import { accountFailureText } from './failure-text.ts';

const maxBytes = maxPhotoMegabytes * 1024 * 1024;

export async function photoProblem(file: File): Promise<string | null> {
  const size = sizeProblem(file, maxBytes);
  if (size) return photoRefusal(size);
  const head = await file
    .slice(0, factBytes)
    .arrayBuffer()
    .catch(() => null);
  if (!head) return m.accounts_photo_unreadable();
  const { picture, pixels } = pictureFacts(new Uint8Array(head));
  if (!picture) return m.accounts_photo_no_picture();
  return pixels !== null && pixels > maxPixels ? m.accounts_photo_too_many_pixels() : null;
}

/** `advance` receives progress from 0 to 1. */
export function sendPhoto(file: File, query: string, advance: (part: number) => void): Promise<unknown> {
  return upload(`/api/me/photo?${query}`, file, maxBytes, advance).done;
}

export function photoRefusal(error: unknown): string {
  const reason = fieldProblems(error)[0]?.reason;
  switch (reason) {
    case 'file_empty':
      return m.accounts_photo_empty();
    case 'file_too_large':
      return m.accounts_photo_too_large({ max: maxPhotoMegabytes });
    case 'file_type':
      return m.accounts_photo_no_picture();
    case 'image_too_many_pixels':
      return m.accounts_photo_too_many_pixels();
    case 'image_unreadable':
      return m.accounts_photo_unreadable();
    default:
      return accountFailureText(error);
  }
}
