import { crc32, constants, deflateRawSync } from 'node:zlib';

/** How long a page is served from the cache, and how many are kept. */
const maxAgeMs = 60_000;
const maxPages = 200;

/**
 * A page cut at its nonces. Each part is compressed once, flushed to a byte boundary and without reference to
 * what came before, so that a response is the parts with its own nonces between them (RFC 1951, section 3.2.4:
 * a nonce is a stored block), whatever the number of requests.
 */
export interface CachedPage {
  parts: readonly Buffer[];
  compressed: readonly Buffer[];
  at: number;
}

/** Anonymous pages by address and locale. Dropped as a whole when anything that they show has changed. */
export interface PageCache {
  get(key: string, now: number): CachedPage | null;
  set(key: string, html: string, placeholder: string, now: number): CachedPage;
  clear(): void;
}

/** Opens an empty cache, bounded in age and number. */
export function openPageCache(): PageCache {
  const pages = new Map<string, CachedPage>();
  return {
    get(key, now) {
      const page = pages.get(key);
      return page && now - page.at < maxAgeMs ? page : null;
    },
    set(key, html, placeholder, now) {
      const parts = html.split(placeholder).map((part) => Buffer.from(part));
      const compressed = parts.map((part) => deflateRawSync(part, { level: 9, finishFlush: constants.Z_FULL_FLUSH }));
      const page = { parts, compressed, at: now };
      pages.delete(key);
      if (pages.size >= maxPages) pages.delete(pages.keys().next().value!);
      pages.set(key, page);
      return page;
    },
    clear: () => pages.clear(),
  };
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty final block that ends the deflate stream. */
const lastBlock = Buffer.from([0x01, 0, 0, 0xff, 0xff]);

/** The page with this response's nonce, plain or as gzip (RFC 1952). */
export function withNonce(page: CachedPage, nonce: string, gzip: boolean): Buffer<ArrayBuffer> {
  const nonceBytes = Buffer.from(nonce);
  const plain = join(page.parts, nonceBytes);
  if (!gzip) return plain;
  const stored = Buffer.alloc(5 + nonceBytes.length);
  stored.writeUInt16LE(nonceBytes.length, 1);
  stored.writeUInt16LE(nonceBytes.length ^ 0xffff, 3);
  nonceBytes.copy(stored, 5);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(plain), 0);
  trailer.writeUInt32LE(plain.length, 4);
  return Buffer.concat([gzipHeader, join(page.compressed, stored), lastBlock, trailer]);
}

function join(parts: readonly Buffer[], between: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [between, part])));
}
