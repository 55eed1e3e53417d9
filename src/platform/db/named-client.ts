import type { Duplex } from 'node:stream';
import pg from 'pg';
import { asOutage } from './outage.ts';

/** Caps named statements to bound memory per connection; later ones stay unnamed. */
const mostNames = 500;

/** Migrations that add columns change `select *` results, which breaks prepared statements. */
const everyColumn = /(select|returning|\.) ?\*/;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= mostNames || everyColumn.test(text)) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

export interface ClientOptions extends pg.ClientConfig {
  answerWithinMs?: number;
}

/**
 * Names parameterized statements, so PostgreSQL parses and plans each once. Distinguishes outages from other errors and
 * drops unresponsive servers.
 */
export class NamedClient extends pg.Client {
  readonly #answerWithinMs: number;

  constructor(options: ClientOptions = {}) {
    super(options);
    this.#answerWithinMs = options.answerWithinMs ?? 0;
  }

  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args;
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
      return this.#send([{ text, values, name: nameOf(text) }, ...rest]);
    }
    return this.#send(args);
  }

  #send(args: unknown[]): never {
    const answer: unknown = Reflect.apply(super.query, this, args);
    return (answer instanceof Promise ? this.#watch(answer) : answer) as never;
  }

  async #watch(answer: Promise<unknown>): Promise<unknown> {
    const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection;
    // The driver's own timeout would return the connection to the pool with a response still pending.
    const late = this.#answerWithinMs > 0 ? setTimeout(() => stream.destroy(), this.#answerWithinMs) : null;
    try {
      return await answer;
    } catch (error) {
      throw asOutage(error, stream.destroyed || !stream.writable);
    } finally {
      if (late) clearTimeout(late);
    }
  }
}
