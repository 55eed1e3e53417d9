import { AppError } from '#/kernel/errors.ts';

/** Returns a query's result about a person. Throws `not_found` (`person`) if there is none. */
export function requirePerson<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('not_found', 'person');
  return row;
}
