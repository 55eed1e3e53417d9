import { pino, type DestinationStream, type Logger } from 'pino';

/** Structured lines on standard output. Only ids and closed words go in: nothing that a person wrote. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug' | 'level'>;

/**
 * Makes the log, on standard output unless it is given somewhere else. An error keeps its SQLSTATE and where it was
 * thrown, but not the values of a failed statement.
 */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options = { level, serializers: { err: errorLine } };
  return destination ? pino(options, destination) : pino(options);
}

function errorLine(error: unknown): Record<string, string> {
  if (!(error instanceof Error)) return { type: typeof error };
  // A stack begins with the message, which can have several lines.
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? [];
  return { type: error.name, message: withoutValues(error), stack: frames.join('\n') };
}

/** PostgreSQL and the drivers name values in `detail`; their message can too, so database errors show only their code. */
function withoutValues(error: Error): string {
  return 'code' in error && 'severity' in error ? `SQLSTATE ${String(error.code)}` : error.message;
}
