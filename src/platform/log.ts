import { pino, type DestinationStream, type Logger } from 'pino';

/** Structured lines on standard output. Only ids and closed words go in: nothing that a person wrote. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug' | 'level'>;

/**
 * Makes the log, on standard output unless it is given somewhere else. An error keeps its type, its code and where it was
 * thrown, but none of the values that its message names.
 */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options = { level, serializers: { err: errorLine } };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Sends what libraries print on the console into the log, without the values that they name: addresses with somebody's
 * token, texts that couldn't be parsed. Returns what ends it.
 */
export function keepConsole(log: Log): () => void {
  const kept = { ...console };
  for (const method of ['error', 'warn', 'info', 'log', 'debug', 'trace'] as const)
    console[method] = (...said: unknown[]) => {
      const [first] = said;
      const err = said.find((one) => one instanceof Error);
      const printed = typeof first === 'string' ? withoutValues(first) : undefined;
      log.warn({ err, printed }, 'a library printed something');
    };
  return () => void Object.assign(console, kept);
}

function errorLine(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  // A stack begins with the message, which can have several lines.
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? [];
  return { type: error.name, message: messageOf(error), stack: frames.join('\n') };
}

/** PostgreSQL names values in its messages as it likes, so database errors show only their code. */
function messageOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : null;
  if (code !== null && 'severity' in error) return `SQLSTATE ${code}`;
  const message = withoutValues(error.message);
  return code !== null && /^[A-Z][A-Z_0-9]+$/.test(code) ? `${code}: ${message}` : message;
}

/** A message without what it quotes, and without addresses and paths. */
function withoutValues(message: string): string {
  return message
    .replaceAll(/"[^"]*"?|`[^`]*`?|(?<![\p{L}\p{N}])'[^']*'?/gu, '…')
    .replaceAll(/\S*[/\\@%?=&]\S*/g, '…')
    .slice(0, 500);
}
