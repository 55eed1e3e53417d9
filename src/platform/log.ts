import { pino, type DestinationStream, type Logger } from 'pino';

/** Structured log on standard output. Contains IDs and fixed codes only, never user content. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug' | 'level'>;

/** Creates the log. Errors keep type, code and stack, but not the values in their message. */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options = { level, serializers: { err: errorLine } };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Redirects console output of libraries into the log, without values such as URLs with tokens. Returns a restore
 * function.
 */
export function redirectConsole(log: Log): () => void {
  const original = { ...console };
  for (const method of ['error', 'warn', 'info', 'log', 'debug', 'trace'] as const)
    console[method] = (...said: unknown[]) => {
      const [first] = said;
      const err = said.find((one) => one instanceof Error);
      const printed = typeof first === 'string' ? withoutValues(first) : undefined;
      log.warn({ err, printed }, 'library output');
    };
  return () => void Object.assign(console, original);
}

function errorLine(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  // Drops the message, which may span lines.
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? [];
  return { type: error.name, message: messageOf(error), stack: frames.join('\n') };
}

/** PostgreSQL messages may contain values, so database errors log only their code. */
function messageOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : null;
  if (code !== null && 'severity' in error) return `SQLSTATE ${code}`;
  const message = withoutValues(error.message);
  return code !== null && /^[A-Z][A-Z_0-9]+$/.test(code) ? `${code}: ${message}` : message;
}

/** Removes quoted values, URLs and paths. */
function withoutValues(message: string): string {
  return message
    .replaceAll(/"[^"]*"?|`[^`]*`?|(?<![\p{L}\p{N}])'[^']*'?/gu, '…')
    .replaceAll(/\S*[/\\@%?=&]\S*/g, '…')
    .slice(0, 500);
}
