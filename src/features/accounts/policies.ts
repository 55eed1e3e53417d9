import { AppError } from '#/kernel/errors.ts';

/** Returns what a query found of a person. Throws `not_found` (`person`) if it found none. */
export function requirePerson<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('not_found', 'person');
  return row;
}
