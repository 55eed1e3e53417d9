import pg from 'pg';
import { AppError, Outage } from '#/kernel/errors.ts';

/**
 * SQLSTATE classes for lost connections (08), exhausted resources such as disk or connections (53), server shutdown and
 * startup (57P0x) and system errors (58), plus codes for statement, lock and transaction timeouts and read-only
 * servers.
 */
const outages = /^(?:(?:08|53|57P0|58).*|57014|55P03|25P03|25P04|25006)$/;

/** `Retry-After` during an outage. */
export const outageRetrySeconds = 5;

/** The database is unreachable or can't write. Retryable, and not the caller's fault. */
export class DatabaseDown extends Outage {
  constructor(cause: unknown) {
    super('unavailable', 'database');
    this.name = 'DatabaseDown';
    this.cause = cause;
    // PostgreSQL's messages may contain personal data.
    this.message = `the database is down: ${sqlState(cause) ?? (cause instanceof Error ? cause.message : 'unknown')}`;
  }
}

/** Converts outage errors into `DatabaseDown`; `broken` marks a lost connection. */
export function asOutage(error: unknown, broken: boolean): unknown {
  if (error instanceof DatabaseDown) return error;
  const reported = error instanceof pg.DatabaseError && outages.test(error.code ?? '');
  return reported || broken ? new DatabaseDown(error) : error;
}

export function sqlState(error: unknown): string | null {
  if (error instanceof AppError) return error.cause === undefined ? null : sqlState(error.cause);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
