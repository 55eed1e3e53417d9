import { hkdfSync, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { flush } from '../files/disk.ts';
import { opened, sealed } from '../files/seal.ts';

/** By id; the first seals, all open. */
export type BackupKeys = ReadonlyMap<string, Buffer>;

type BoxFault = 'not_ours' | 'unknown_key' | 'wrong_key' | 'damaged';

export class UnusableBox extends Error {
  readonly fault: BoxFault;
  readonly path: string;
  readonly keyId: string | null;

  constructor(fault: BoxFault, path: string, keyId: string | null = null, options?: { cause?: unknown }) {
    super(`the sealed file ${path} can’t be opened: ${fault}`, options);
    this.fault = fault;
    this.path = path;
    this.keyId = keyId;
  }
}

/** Key id, per-file salt and check value. */
const head = /^italk-sealed 1 ([\w-]{1,32}) ([\w-]{43}) ([\w-]{22})\n/;
const longestHead = 256;
/** Plaintext per piece and its overhead, in bytes. */
const [pieceBytes, sealBytes] = [64 * 1024, 16];

/** Derives a per-file key and a check value that identifies it without decrypting. */
function fileKey(master: Buffer, salt: Buffer, purpose: string): { key: Buffer; check: string } {
  const made = Buffer.from(hkdfSync('sha256', master, salt, `italk ${purpose}`, 48));
  return { key: made.subarray(0, 32), check: made.subarray(32).toString('base64url') };
}

/**
 * Encrypts a file with AES-256-GCM in pieces that authenticate their position and the last one. Renames it into place
 * only after fsync, readable by its owner alone. `onBytes` receives the written bytes.
 */
export async function seal(
  path: string,
  { keys, purpose, signal }: { keys: BackupKeys; purpose: string; signal?: AbortSignal | undefined },
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: Uint8Array) => void = () => undefined,
): Promise<void> {
  const [id, master] = [...keys][0]!;
  const salt = randomBytes(32);
  const { key, check } = fileKey(master, salt, purpose);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.part`;
  async function* box(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`italk-sealed 1 ${id} ${salt.toString('base64url')} ${check}\n`);
    yield* sealed(key, chunks);
  }
  async function* seen(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of source) {
      onBytes(bytes);
      yield bytes;
    }
  }
  try {
    await pipeline(box, seen, createWriteStream(part, { mode: 0o600 }), signal ? { signal } : {});
    await flush(part);
    await rename(part, path);
    await flush(dirname(path));
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Decrypts a sealed file piece by piece. Throws `UnusableBox` at the first changed, moved or missing piece. */
export async function* unseal(
  path: string,
  { keys, purpose }: { keys: BackupKeys; purpose: string },
): AsyncGenerator<Uint8Array> {
  const { id, salt, check, length } = await headOf(path);
  const master = keys.get(id);
  if (!master) throw new UnusableBox('unknown_key', path, id);
  const own = fileKey(master, salt, purpose);
  if (own.check !== check) throw new UnusableBox('wrong_key', path, id);
  const bytes = (await stat(path)).size - length;
  const size = bytes - Math.ceil(bytes / (pieceBytes + sealBytes)) * sealBytes;
  if (size <= 0) throw new UnusableBox('damaged', path, id);
  const source = createReadStream(path, { start: length });
  try {
    yield* opened(own.key, source, { size, range: { start: 0, end: size - 1 } });
  } catch (cause) {
    throw new UnusableBox('damaged', path, id, { cause });
  } finally {
    source.destroy();
  }
}

/** Returns null for missing or unsealed files. */
export async function sealingKey(path: string): Promise<string | null> {
  try {
    return (await headOf(path)).id;
  } catch (error) {
    if (error instanceof UnusableBox || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function headOf(path: string): Promise<{ id: string; salt: Buffer; check: string; length: number }> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestHead), 0, longestHead, 0);
    const [line, id, salt, check] = head.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
    if (!line) throw new UnusableBox('not_ours', path);
    return { id: id!, salt: Buffer.from(salt!, 'base64url'), check: check!, length: line.length };
  } finally {
    await file.close();
  }
}
