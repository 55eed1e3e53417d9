import { hash } from 'node:crypto';

export interface Head {
  /** Format version. */
  version: 1;
  takenAt: string;
  server: string;
  migrations: string[];
  /** Known texts encrypted with each keyring, to check the keys after a restore. */
  probes: Record<string, string>;
}

/** Followed by `data` records with COPY text. */
interface TableBegins {
  table: string;
  columns: string[];
}

export interface RowsSummary {
  rows: number;
  checksum: string;
}

/** Last record; a backup without one is incomplete. */
export interface End {
  tables: number;
  rows: number;
  files: number;
  /** Files whose contents were already missing. */
  missing: string[];
  sequences: Record<string, string>;
}

/** `data` holds COPY text, `files` holds object ids. */
export type BackupRecord =
  | { kind: 'head'; value: Head }
  | { kind: 'table'; value: TableBegins }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'rows'; value: RowsSummary }
  | { kind: 'files'; value: string[] }
  | { kind: 'end'; value: End };

const kinds = ['head', 'table', 'data', 'rows', 'files', 'end'] as const;
/** One for the kind, four for the length. */
const prefixBytes = 5;

/** Encodes one record. */
export function encodeRecord(record: BackupRecord): Buffer {
  const body = record.kind === 'data' ? record.bytes : Buffer.from(JSON.stringify(record.value));
  const prefix = Buffer.alloc(prefixBytes);
  prefix[0] = kinds.indexOf(record.kind);
  prefix.writeUInt32BE(body.length, 1);
  return Buffer.concat([prefix, body]);
}

/** Parses records from a byte stream. Throws if they're invalid or the end record is missing. */
export async function* read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BackupRecord> {
  let pending: Uint8Array[] = [];
  let bytes = 0;
  let wanted = prefixBytes;
  let last: BackupRecord['kind'] | null = null;
  for await (const chunk of chunks) {
    pending.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < wanted) continue;
    let rest = Buffer.concat(pending);
    for (;;) {
      const length = rest.length < prefixBytes ? 0 : rest.readUInt32BE(1);
      wanted = prefixBytes + length;
      if (rest.length < wanted) break;
      const record = recordOf(rest[0]!, rest.subarray(prefixBytes, wanted));
      rest = rest.subarray(wanted);
      last = record.kind;
      yield record;
    }
    pending = [rest];
    bytes = rest.length;
  }
  if (last !== 'end' || bytes > 0) throw new Error('the backup is truncated');
}

function recordOf(number: number, body: Buffer): BackupRecord {
  const kind = kinds[number];
  if (!kind) throw new Error('unknown record type in the backup');
  if (kind === 'data') return { kind, bytes: body };
  return { kind, value: JSON.parse(body.toString()) as never };
}

/** Counts and checksums rows, independent of their order. */
export class RowsDigest {
  rows = 0;
  readonly #lanes = new Uint32Array(4);

  add(row: Buffer): void {
    this.rows++;
    const digest = hash('sha256', row, 'buffer');
    for (let lane = 0; lane < 4; lane++) this.#lanes[lane]! += digest.readUInt32BE(lane * 4);
  }

  summary(): RowsSummary {
    return { rows: this.rows, checksum: Buffer.from(new Uint32Array(this.#lanes).buffer).toString('hex') };
  }
}
