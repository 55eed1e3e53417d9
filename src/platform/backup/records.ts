import { hash } from 'node:crypto';

/** What a backup says first: how the database was. */
export interface Head {
  /** Of this format. */
  version: 1;
  takenAt: string;
  /** The server's, as it tells it. */
  server: string;
  migrations: string[];
  /** A text under each of the program's keyrings, by which a restored program sees that it has the right keys. */
  probes: Record<string, string>;
}

/** One table's rows begin; what follows until its end is the text that COPY gave for these columns. */
interface TableBegins {
  table: string;
  columns: string[];
}

/** A table's rows were these. */
export interface RowsTold {
  rows: number;
  checksum: string;
}

/** What a backup says last: one without it broke off. */
export interface End {
  tables: number;
  rows: number;
  files: number;
  /** The files whose bytes were missing already. */
  missing: string[];
  /** Where each sequence stood. */
  sequences: Record<string, string>;
}

/** One part of a backup; `data` is the text of rows, `files` are the ids of bytes that lie beside the backup. */
export type BackupRecord =
  | { kind: 'head'; value: Head }
  | { kind: 'table'; value: TableBegins }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'rows'; value: RowsTold }
  | { kind: 'files'; value: string[] }
  | { kind: 'end'; value: End };

const kinds = ['head', 'table', 'data', 'rows', 'files', 'end'] as const;
/** A byte for the kind, four for the length. */
const prefixBytes = 5;

/** Writes one record. */
export function written(record: BackupRecord): Buffer {
  const body = record.kind === 'data' ? record.bytes : Buffer.from(JSON.stringify(record.value));
  const prefix = Buffer.alloc(prefixBytes);
  prefix[0] = kinds.indexOf(record.kind);
  prefix.writeUInt32BE(body.length, 1);
  return Buffer.concat([prefix, body]);
}

/** Reads records as their bytes come. Throws where they are none, or the last one isn't the end. */
export async function* read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BackupRecord> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let wanted = prefixBytes;
  let last: BackupRecord['kind'] | null = null;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < wanted) continue;
    let rest = Buffer.concat(held);
    for (;;) {
      const length = rest.length < prefixBytes ? 0 : rest.readUInt32BE(1);
      wanted = prefixBytes + length;
      if (rest.length < wanted) break;
      const record = recordOf(rest[0]!, rest.subarray(prefixBytes, wanted));
      rest = rest.subarray(wanted);
      last = record.kind;
      yield record;
    }
    held = [rest];
    bytes = rest.length;
  }
  if (last !== 'end' || bytes > 0) throw new Error('a backup has no end');
}

function recordOf(number: number, body: Buffer): BackupRecord {
  const kind = kinds[number];
  if (!kind) throw new Error('a backup has a part of no kind');
  if (kind === 'data') return { kind, bytes: body };
  return { kind, value: JSON.parse(body.toString()) as never };
}

/** Counts rows and sums up what they are, in whichever order they come. */
export class RowsSeen {
  rows = 0;
  readonly #lanes = new Uint32Array(4);

  add(row: Buffer): void {
    this.rows++;
    const digest = hash('sha256', row, 'buffer');
    for (let lane = 0; lane < 4; lane++) this.#lanes[lane]! += digest.readUInt32BE(lane * 4);
  }

  told(): RowsTold {
    return { rows: this.rows, checksum: Buffer.from(new Uint32Array(this.#lanes).buffer).toString('hex') };
  }
}
