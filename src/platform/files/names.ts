import { invalidField } from '#/kernel/errors.ts';

/** One line without anything that could lead out of a folder or turn its reading around. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}/\\\u202a-\u202e\u2066-\u2069]/u;

/** A file's name as it is kept; throws invalid with what is wrong with the `name`. */
export function nameOf(given: string): string {
  const name = given.toWellFormed().normalize('NFC').trim();
  if (name === '') throw invalidField('name', 'required');
  if ([...name].length > 200) throw invalidField('name', 'too_large');
  if (unfit.test(name) || name === '.' || name === '..') throw invalidField('name', 'bad_format');
  return name;
}
