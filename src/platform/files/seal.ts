import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { sealedColumn } from '../sealed-column.ts';
import type { ByteRange } from './disk.ts';
import { UnreadableBytes } from './files.ts';

/** File encryption keys, themselves encrypted with the keyring. */
export const sealedFileKey = sealedColumn('files', 'sealed_key');

/** In bytes; ranges decrypt without the rest. */
const pieceBytes = 64 * 1024;
const tagBytes = 16;
const boxBytes = pieceBytes + tagBytes;

export function newFileKey(): Buffer {
  return randomBytes(32);
}

/**
 * The chunk's number plus a last-chunk flag, so chunks can't be swapped or truncated (Hoang, Reyhanitabar, Rogaway,
 * Vizár: Online Authenticated-Encryption, the STREAM construction).
 */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Encrypts a stream in chunks: AES-256-GCM with a single-use key. */
export async function* sealed(key: Buffer, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let number = 0;
  const seal = (piece: Uint8Array, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, isLast));
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  };
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.byteLength;
    if (size <= pieceBytes) continue;
    // Holds back one chunk: only the stream's end shows which is last.
    let rest = Buffer.concat(pending);
    for (; rest.length > pieceBytes; rest = rest.subarray(pieceBytes))
      yield seal(rest.subarray(0, pieceBytes), false);
    pending = [rest];
    size = rest.length;
  }
  yield seal(Buffer.concat(pending), true);
}

/** Maps a plaintext range to its encrypted chunks. */
export function sealedRange({ start, end }: ByteRange): ByteRange {
  return {
    start: Math.floor(start / pieceBytes) * boxBytes,
    end: (Math.floor(end / pieceBytes) + 1) * boxBytes - 1,
  };
}

/**
 * Decrypts a range returned by `sealedRange`, for a file of `size` bytes. Throws UnreadableBytes at the first altered,
 * moved or missing chunk, before emitting it.
 */
export async function* opened(
  key: Buffer,
  source: AsyncIterable<Uint8Array>,
  { size, range }: { size: number; range: ByteRange },
): AsyncGenerator<Uint8Array> {
  const last = Math.ceil(size / pieceBytes) - 1;
  const until = Math.floor(range.end / pieceBytes);
  let number = Math.floor(range.start / pieceBytes);
  const lengthOf = (piece: number) => (piece === last ? size - last * pieceBytes : pieceBytes);
  const open = (box: Buffer): Buffer => {
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, number === last), {
      authTagLength: tagBytes,
    }).setAuthTag(box.subarray(-tagBytes));
    try {
      const piece = Buffer.concat([decipher.update(box.subarray(0, -tagBytes)), decipher.final()]);
      const from = number * pieceBytes;
      return piece.subarray(Math.max(range.start - from, 0), range.end - from + 1);
    } catch (cause) {
      throw new UnreadableBytes('sealed bytes were changed', { cause });
    }
  };
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    pending.push(chunk);
    length += chunk.byteLength;
    if (length < lengthOf(number) + tagBytes) continue;
    let rest = Buffer.concat(pending);
    for (; number <= until && rest.length >= lengthOf(number) + tagBytes; number++) {
      const box = rest.subarray(0, lengthOf(number) + tagBytes);
      rest = rest.subarray(box.length);
      yield open(box);
    }
    if (number > until) return;
    pending = [rest];
    length = rest.length;
  }
  throw new UnreadableBytes('sealed bytes were cut off');
}
