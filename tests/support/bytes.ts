import { deflateSync, crc32 } from 'node:zlib';

export function pdf(size = 10_000): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size).map((_, at) => at * 31 + (at >> 8));
  bytes.set(new TextEncoder().encode('%PDF-1.7\n'));
  return bytes;
}

/** The smallest valid PNG: one pixel. */
export const png: Uint8Array<ArrayBuffer> = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** A PNG of a few kilobytes that decompresses to 30,000 × 30,000 pixels. */
export function bomb(): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(30_000, 0);
  head.writeUInt32BE(30_000, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    pngPart('IHDR', head),
    pngPart('IDAT', deflateSync(Buffer.alloc(4_000_000))),
    pngPart('IEND', Buffer.alloc(0)),
  ]);
}

function pngPart(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

export function silence(): Buffer {
  const bytes = Buffer.alloc(844);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(836, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8_000, 24);
  bytes.writeUInt32LE(8_000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(800, 40);
  return bytes;
}

export function arriving(bytes: Uint8Array, piece = 4_096): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: async (controller) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.subarray(at, at + piece));
      at += piece;
    },
  });
}

export async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
