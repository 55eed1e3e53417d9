import { pino, type Logger } from 'pino';

/** Structured lines on standard output. Only ids and closed words go in: nothing that a person wrote. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;

/** Makes the log. An error keeps its stack and its SQLSTATE, but not the values of a failed statement. */
export function openLog(level: string): Log {
  return pino({
    level,
    serializers: {
      err: (error: unknown) =>
        error instanceof Error
          ? { type: error.name, message: withoutValues(error), stack: error.stack?.split('\n').slice(1).join('\n') }
          : { type: typeof error },
    },
  });
}

/** PostgreSQL and the drivers name values in `detail`; their message can too, so database errors show only their code. */
function withoutValues(error: Error): string {
  return 'code' in error && 'severity' in error ? `SQLSTATE ${String(error.code)}` : error.message;
}
