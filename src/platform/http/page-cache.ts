import { crc32, constants, deflateRawSync } from 'node:zlib';
import { joined, shiftFor } from './crc.ts';

/** How long a page is served from the cache, in milliseconds. */
export const maxAgeMs = 60_000;
/** How many are kept. */
const maxPages = 200;

/**
 * A page cut at its nonces. Each part is compressed once, flushed to a byte boundary and without reference to
 * what came before, so that a response is the parts with its own nonces between them (RFC 1951, section 3.2.4:
 * a nonce is a stored block), whatever the number of requests.
 */
export interface CachedPage {
  parts: readonly Part[];
  /** When it was rendered, in epoch milliseconds. */
  at: number;
}

interface Part {
  plain: Buffer;
  compressed: Buffer;
  crc: number;
  /** For joining checksums: what this part's length does to the one before it. */
  shift: number;
}

/** Anonymous pages by address and locale. Dropped as a whole when anything that they show has changed. */
export interface PageCache {
  get(key: string, now: number): CachedPage | null;
  /** How often the cache was dropped; to be asked before a page is rendered, and told to `set`. */
  drops(): number;
  /** Keeps a page, but not one that was begun before the last drop: it may show what has changed since. */
  set(key: string, html: string, placeholder: string, now: number, drops: number): CachedPage;
  clear(): void;
}

/**
 * Whether a request can't be a signed-in person's, by its Cookie header. Any mention of a cookie of ours rules that
 * out, whatever separates it from others: whoever reads the session may be more lenient than a pattern here.
 */
export function isAnonymous(cookie: string | null | undefined): boolean {
  return !cookie?.includes('italk.');
}

/** Opens an empty cache, bounded in age and number. */
export function openPageCache(): PageCache {
  const pages = new Map<string, CachedPage>();
  let drops = 0;
  return {
    drops: () => drops,
    get(key, now) {
      const page = pages.get(key);
      return page && now - page.at < maxAgeMs ? page : null;
    },
    set(key, html, placeholder, now, begun) {
      const page = { parts: html.split(placeholder).map(partOf), at: now };
      if (begun !== drops) return page;
      pages.delete(key);
      if (pages.size >= maxPages) pages.delete(pages.keys().next().value!);
      pages.set(key, page);
      return page;
    },
    clear() {
      drops++;
      pages.clear();
    },
  };
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty final block that ends the deflate stream. */
const lastBlock = Buffer.from([0x01, 0, 0, 0xff, 0xff]);

function partOf(text: string): Part {
  const plain = Buffer.from(text);
  return {
    plain,
    compressed: deflateRawSync(plain, { level: 9, finishFlush: constants.Z_FULL_FLUSH }),
    crc: crc32(plain),
    shift: shiftFor(plain.length),
  };
}

/** The page with this response's nonce, plain or as gzip (RFC 1952). */
export function withNonce({ parts }: CachedPage, nonce: string, gzip: boolean): Buffer<ArrayBuffer> {
  const between = Buffer.from(nonce);
  if (!gzip) return Buffer.concat(parts.flatMap(({ plain }, i) => (i === 0 ? [plain] : [between, plain])));
  const stored = Buffer.alloc(5);
  stored.writeUInt16LE(between.length, 1);
  stored.writeUInt16LE(between.length ^ 0xffff, 3);
  const nonceCrc = crc32(between);
  const nonceShift = shiftFor(between.length);
  const bytes: Buffer[] = [gzipHeader];
  let crc = 0;
  let length = 0;
  for (const [i, part] of parts.entries()) {
    if (i > 0) {
      bytes.push(stored, between);
      crc = joined(crc, nonceCrc, nonceShift);
      length += between.length;
    }
    bytes.push(part.compressed);
    crc = joined(crc, part.crc, part.shift);
    length += part.plain.length;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length, 4);
  return Buffer.concat([...bytes, lastBlock, trailer]);
}
