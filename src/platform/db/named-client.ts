import type { Duplex } from 'node:stream';
import pg from 'pg';
import { asOutage } from './outage.ts';

/** How many statements are named; what comes after them stays unnamed, so that a connection's memory is bounded. */
const mostNames = 500;

/** What `select *` answers changes when a migration adds a column, which breaks a statement that was planned before. */
const everyColumn = /(select|returning|\.) ?\*/;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= mostNames || everyColumn.test(text)) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** What a connection is opened with. */
export interface ClientOptions extends pg.ClientConfig {
  /** How many milliseconds a server may leave a statement unanswered before its connection is given up; 0: for good. */
  answerWithinMs?: number;
}

/**
 * A connection that names its parametrised statements, so that PostgreSQL parses and plans each once. It tells an outage
 * from every other error, and gives up on a server that has stopped answering.
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
    // The driver's own timeout would leave the connection in the pool with the answer still to come.
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
