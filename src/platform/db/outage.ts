import pg from 'pg';
import { AppError } from '#/kernel/errors.ts';

/**
 * PostgreSQL's classes for a lost connection (08), missing resources such as disk space and connections (53), a server
 * that stops or starts (57P0x) and a failing system (58); and the codes for a statement, lock or transaction that took
 * too long, and for a server that only reads.
 */
const outages = /^(?:(?:08|53|57P0|58).*|57014|55P03|25P03|25P04|25006)$/;

/** The database can't be reached or can't store anything right now: not the asker's fault, and worth trying again. */
export class DatabaseDown extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'database');
    this.name = 'DatabaseDown';
    this.cause = cause;
    // A message of PostgreSQL's can name values, the driver's own can't.
    this.message = `the database is down: ${sqlState(cause) ?? (cause instanceof Error ? cause.message : 'unknown')}`;
  }
}

/** Turns a database error that tells of an outage into `DatabaseDown`; `broken` says that its connection is gone. */
export function asOutage(error: unknown, broken: boolean): unknown {
  if (error instanceof DatabaseDown) return error;
  const told = error instanceof pg.DatabaseError && outages.test(error.code ?? '');
  return told || broken ? new DatabaseDown(error) : error;
}

/** Whether an error belongs in the log: a defect or an outage, not a refusal. */
export function isLogged(error: unknown): boolean {
  return !(error instanceof AppError) || error instanceof DatabaseDown;
}

/** The SQLSTATE of a database error, or null for any other. */
export function sqlState(error: unknown): string | null {
  if (error instanceof AppError) return error.cause === undefined ? null : sqlState(error.cause);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
