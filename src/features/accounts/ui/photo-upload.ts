import { AppError } from '#/kernel/errors.ts';
import { refusalOf } from '#/kernel/problem.ts';
import { m } from '#/texts/messages.js';
import { Unreachable } from '#/web/unreachable.ts';
import { maxPhotoMegabytes } from '../rules.ts';
import { factBytes, mostPixels, pictureFacts } from '../profile/rules.ts';
import { failureText } from './failure-text.ts';

/** Why a file that was chosen can't become a photo, in a sentence; null if nothing is wrong with it so far. */
export async function photoProblem(file: File): Promise<string | null> {
  if (file.size === 0) return m.accounts_photo_empty();
  if (file.size > maxPhotoMegabytes * 1024 * 1024)
    return m.accounts_photo_too_large({ max: maxPhotoMegabytes });
  const head = await file
    .slice(0, factBytes)
    .arrayBuffer()
    .catch(() => null);
  if (!head) return m.accounts_photo_unreadable();
  const { picture, pixels } = pictureFacts(new Uint8Array(head));
  if (!picture) return m.accounts_photo_no_picture();
  return pixels !== null && pixels > mostPixels ? m.accounts_photo_too_many_pixels() : null;
}

/**
 * Sends a photo with the square that is to be shown; `advance` hears how much of it has been sent, from 0 to 1. Not by
 * fetch, which doesn't tell. Throws AppError for a refusal, Unreachable if there was no answer of ours.
 */
export function sendPhoto(file: File, query: string, advance: (part: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/me/photo?${query}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      advance(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('load', () => {
      if (request.status === 200 || request.status === 201) resolve();
      else reject(refusalOf(jsonOf(request.responseText)) ?? new Unreachable('the server gave no answer'));
    });
    for (const end of ['error', 'abort', 'timeout'] as const)
      request.addEventListener(end, () => reject(new Unreachable('the photo did not arrive')));
    request.send(file);
  });
}

/** Why the server didn't take a photo, in a sentence. */
export function photoRefusal(error: unknown): string {
  const reason = error instanceof AppError ? error.fields[0]?.reason : undefined;
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
      return failureText(error);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
