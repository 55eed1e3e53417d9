import { AppError } from '#/kernel/errors.ts';

/** Returns what a query found of a service. Throws `not_found` (`service`) if it found none. */
export function requireService<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('not_found', 'service');
  return row;
}
