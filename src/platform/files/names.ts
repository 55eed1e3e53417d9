import { invalidField } from '#/kernel/errors.ts';

/** Rejects line breaks, control characters, path separators and bidirectional overrides. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}/\\\u202a-\u202e\u2066-\u2069]/u;

/** Normalizes and validates a file name; throws invalid on field `name`. */
export function nameOf(given: string): string {
  const name = given.toWellFormed().normalize('NFC').trim();
  if (name === '') throw invalidField('name', 'required');
  if ([...name].length > 200) throw invalidField('name', 'too_large');
  if (unfit.test(name) || name === '.' || name === '..') throw invalidField('name', 'bad_format');
  return name;
}

const endings: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'text', 'md', 'csv'],
  'audio/mpeg': ['mp3'],
  'audio/mp4': ['m4a', 'mp4'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/wav': ['wav'],
  'video/mp4': ['mp4', 'm4v'],
  'video/webm': ['webm'],
  'application/zip': ['zip'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
};

/** In characters. */
const longestName = 200;

export function hasExtensionOf(name: string, contentType: string): boolean {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return endings[contentType]?.includes(ending) ?? false;
}

/** Appends the content type's extension if the name has another, so downloads can't mislead. */
export function nameWithExtension(name: string, contentType: string): string {
  if (hasExtensionOf(name, contentType)) return name;
  const ending = `.${endings[contentType]?.[0] ?? 'bin'}`;
  return `${[...name].slice(0, longestName - ending.length).join('')}${ending}`;
}
