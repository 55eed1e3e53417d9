import { AppError } from '#/kernel/errors.ts';

/** Returns a query's result about a service. Throws `not_found` (`service`) if there is none. */
export function requireService<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('not_found', 'service');
  return row;
}
