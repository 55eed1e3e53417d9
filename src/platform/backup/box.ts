import { hkdfSync, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { opened, sealed } from '../files/seal.ts';

/** By their ids; the first seals, all open. */
export type BackupKeys = ReadonlyMap<string, Buffer>;

/** Why a sealed file can't be opened. */
type BoxFault = 'not_ours' | 'unknown_key' | 'wrong_key' | 'damaged';

/** A sealed file can't be opened; nothing of what is in it may be relied on. */
export class UnusableBox extends Error {
  readonly fault: BoxFault;
  readonly path: string;
  /** Of the key that sealed it, where that can be told. */
  readonly keyId: string | null;

  constructor(fault: BoxFault, path: string, keyId: string | null = null, options?: { cause?: unknown }) {
    super(`the sealed file ${path} can’t be opened: ${fault}`, options);
    this.fault = fault;
    this.path = path;
    this.keyId = keyId;
  }
}

/** The first line: which key, what made another one of it for this file alone, and by what that one is known. */
const head = /^italk-sealed 1 ([\w-]{1,32}) ([\w-]{43}) ([\w-]{22})\n/;
const longestHead = 256;
/** What each sealed piece holds, and what its seal adds, in bytes. */
const [pieceBytes, sealBytes] = [64 * 1024, 16];

/** The key of one file, which seals nothing else, and what tells it from others without opening anything. */
function fileKey(master: Buffer, salt: Buffer, purpose: string): { key: Buffer; check: string } {
  const made = Buffer.from(hkdfSync('sha256', master, salt, `italk ${purpose}`, 48));
  return { key: made.subarray(0, 32), check: made.subarray(32).toString('base64url') };
}

/**
 * Writes a file that is sealed for one purpose: AES-256-GCM in pieces that know their place and which is the last one. It
 * has its name only once all of it has reached the disk, and its owner alone reads it. `onBytes` sees what is written.
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
    await settle(part);
    await rename(part, path);
    await settle(dirname(path));
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** What `seal` wrote, opened piece by piece. Throws UnusableBox at the first that was changed, moved, or is missing. */
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

/** The id of the key that a file is sealed with; null where there is none, or it is no sealed file. */
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

/** Sees that a file, or that a folder has it, has reached the disk. */
async function settle(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
