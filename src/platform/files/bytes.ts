import { fileTypeFromBuffer } from 'file-type';
import { invalidField } from '#/kernel/errors.ts';
import { severalLines } from '#/kernel/text.ts';
import type { Bucket, Bytes } from './files.ts';

/** Bytes examined for file type detection. */
const sampleBytes = 64 * 1024;

const oneName: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/vnd.wave': 'audio/wav',
};

export interface Checked {
  /** Detected from content; the declared type is ignored. */
  contentType: string;
  /** Single-use stream; throws invalid `file_too_large` past the bucket's limit. */
  chunks: AsyncIterable<Uint8Array>;
  size(): number;
}

/** Office documents are zip archives; the identifying entry is often the last. */
const zipped = 'application/vnd.openxmlformats-officedocument.';

const plainText = 'text/plain';

const runnable = /^\s*(?:<[!?/a-z]|#!)/i;

/** Detects the type by signature, or plain text by content. Null for everything else, including SVG and HTML. */
async function typeOf(beginning: Uint8Array): Promise<string | null> {
  const found = await fileTypeFromBuffer(beginning);
  const [type = ''] = (found?.mime ?? '').split(';');
  if (type) return oneName[type] ?? type;
  const text = textReader()(beginning);
  return text !== null && !runnable.test(text) ? plainText : null;
}

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
 * Checks the beginning of a file; throws invalid `file_empty`, `file_too_large` or `file_type`. Streams the rest,
 * except zip archives, which may need reading in full.
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
    const chunks = withHead(head, next, source);
    return { contentType, chunks: contentType === plainText ? onlyText(chunks) : chunks, size: () => size };
  } catch (error) {
    await source.return?.();
    throw error;
  }
}

async function* withHead(
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
  return body instanceof Uint8Array ? singleChunk(body) : body[Symbol.asyncIterator]();
}

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
