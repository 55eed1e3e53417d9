import { fileTypeFromBuffer } from 'file-type';
import { invalidField } from '#/kernel/errors.ts';
import { severalLines } from '#/kernel/text.ts';
import type { Bucket, Bytes } from './files.ts';

/** What is looked at to tell a file's type, in bytes. */
const sampleBytes = 64 * 1024;

/** The one name of each type that has several. */
const oneName: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/vnd.wave': 'audio/wav',
};

/** Bytes that a bucket takes, as far as their beginning shows. */
export interface Checked {
  /** What their beginning shows them to be, whatever they are called. */
  contentType: string;
  /** All of them, once; throws invalid `file_too_large` where there are more than the bucket takes. */
  chunks: AsyncIterable<Uint8Array>;
  /** How many have come so far. */
  size(): number;
}

/** A type that a zip archive is of which names it in any of its entries, often the last one. */
const zipped = 'application/vnd.openxmlformats-officedocument.';

/** What a text is called that has no signature, and is nothing but text. */
const plainText = 'text/plain';

/** What begins like a page, a drawing or a program: a text that something could run. */
const runnable = /^\s*(?:<[!?/a-z]|#!)/i;

/** The type that a file's first bytes show; null for SVG, HTML and everything else that has no signature. */
async function typeOf(beginning: Uint8Array): Promise<string | null> {
  const found = await fileTypeFromBuffer(beginning);
  const [type = ''] = (found?.mime ?? '').split(';');
  if (type) return oneName[type] ?? type;
  const text = textReader()(beginning);
  return text !== null && !runnable.test(text) ? plainText : null;
}

/** Reads text as it comes, piece by piece; null for what is none: not UTF-8, or with control characters. */
function textReader(): (piece: Uint8Array) => string | null {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (piece) => {
    try {
      const text = decoder.decode(piece, { stream: true });
      return severalLines.test(text.replaceAll('\f', '')) ? text : null;
    } catch {
      return null;
    }
  };
}

async function* onlyText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const read = textReader();
  for await (const chunk of chunks) {
    if (read(chunk) === null) throw invalidField('file', 'file_type');
    yield chunk;
  }
}

/**
 * Reads the beginning of a file and refuses what the bucket doesn't take: `file_empty`, `file_too_large`, `file_type`.
 * The rest is read when it is asked for, and never held whole.
 */
export async function check(
  body: Bytes,
  { maxBytes, contentTypes }: Pick<Bucket, 'maxBytes' | 'contentTypes'>,
): Promise<Checked> {
  const source = iterate(body);
  let size = 0;
  const next = async (): Promise<Uint8Array | null> => {
    const step = await source.next();
    if (step.done) return null;
    size += step.value.byteLength;
    if (size > maxBytes) throw invalidField('file', 'file_too_large');
    return step.value;
  };
  const head: Uint8Array[] = [];
  try {
    for (let chunk = await next(); chunk; chunk = size < sampleBytes ? await next() : null) head.push(chunk);
    if (size === 0) throw invalidField('file', 'file_empty');
    let contentType = await typeOf(Buffer.concat(head).subarray(0, sampleBytes));
    if (contentType === 'application/zip' && contentTypes.some((type) => type.startsWith(zipped))) {
      for (let chunk = await next(); chunk; chunk = await next()) head.push(chunk);
      contentType = await typeOf(Buffer.concat(head));
    }
    if (contentType === null || !contentTypes.includes(contentType)) throw invalidField('file', 'file_type');
    const chunks = rest(head, next, source);
    return { contentType, chunks: contentType === plainText ? onlyText(chunks) : chunks, size: () => size };
  } catch (error) {
    await source.return?.();
    throw error;
  }
}

async function* rest(
  head: readonly Uint8Array[],
  next: () => Promise<Uint8Array | null>,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* head;
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
  } finally {
    await source.return?.();
  }
}

function iterate(body: Bytes): AsyncIterator<Uint8Array> {
  return body instanceof Uint8Array ? once(body) : body[Symbol.asyncIterator]();
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
