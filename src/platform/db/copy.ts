import { once } from 'node:events';
import type { ClientBase, Connection, Submittable } from 'pg';

/** COPY methods missing from the types of `pg`. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Chunk size in bytes. */
const pieceBytes = 64 * 1024;

/**
 * Streams the output of `copy … to stdout` in chunks of many rows, with backpressure: at most one chunk is buffered.
 * `onRow` sees each row and must not retain its buffer.
 */
export async function* copyOut(
  client: ClientBase,
  statement: string,
  onRow: (row: Buffer) => void,
): AsyncGenerator<Buffer> {
  const reading = new Reading(statement, onRow);
  client.query(reading);
  try {
    for (let piece = await reading.next(); piece; piece = await reading.next()) yield piece;
  } finally {
    reading.abandon();
  }
}

class Reading implements Submittable {
  readonly #statement: string;
  readonly #onRow: (row: Buffer) => void;
  #connection: Connection | undefined;
  #held: Buffer[] = [];
  #bytes = 0;
  #ended = false;
  #abandoned = false;
  #error: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(statement: string, onRow: (row: Buffer) => void) {
    this.#statement = statement;
    this.#onRow = onRow;
  }

  async next(): Promise<Buffer | null> {
    while (this.#bytes < pieceBytes && !this.#ended) {
      const more = new Promise<void>((resolve) => (this.#wake = resolve));
      this.#connection?.stream.resume();
      await more;
    }
    if (this.#error) throw this.#error;
    if (this.#bytes === 0) return null;
    const piece = Buffer.concat(this.#held);
    [this.#held, this.#bytes] = [[], 0];
    return piece;
  }

  /** Discards the remaining output and resumes the connection for other statements. */
  abandon(): void {
    this.#abandoned = true;
    this.#connection?.stream.resume();
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#abandoned) return;
    this.#onRow(chunk);
    // Copies the chunk: the connection reuses its buffer.
    this.#held.push(Buffer.from(chunk));
    this.#bytes += chunk.length;
    if (this.#bytes < pieceBytes) return;
    this.#connection?.stream.pause();
    this.#wake();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#ended = true;
    this.#wake();
  }

  handleError(error: Error): void {
    this.#error = error;
    this.#ended = true;
    this.#wake();
  }
}

/** Streams a source into `copy … from stdin`. Stores nothing if either side fails. */
export async function copyIn(
  client: ClientBase,
  statement: string,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.query(new Writing(statement, source, resolve, reject));
  });
}

class Writing implements Submittable {
  readonly #statement: string;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  readonly #over = new AbortController();
  #failure: unknown;

  constructor(
    statement: string,
    source: AsyncIterable<Uint8Array>,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.#statement = statement;
    this.#source = source;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    connection.query(this.#statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#feed(connection);
  }

  async #feed(connection: CopyConnection): Promise<void> {
    const { signal } = this.#over;
    try {
      for await (const piece of this.#source) {
        if (signal.aborted) return;
        connection.sendCopyFromChunk(piece);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal });
      }
      connection.endCopyFrom();
    } catch (error) {
      if (signal.aborted) return;
      this.#failure = error;
      connection.sendCopyFail('what is to be stored broke off');
    }
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: unknown): void {
    this.#over.abort();
    this.#reject(this.#failure ?? error);
  }
}
