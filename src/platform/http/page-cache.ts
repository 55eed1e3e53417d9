import { crc32, constants, deflateRawSync } from 'node:zlib';
import { joined, shiftFor } from './crc.ts';

/** Maximum page age, in milliseconds. */
export const maxAgeMs = 60_000;
const maxPages = 200;

/**
 * A page split at its nonces. Each part is compressed once, byte-aligned and independently, so responses only insert
 * their own nonces as stored blocks (RFC 1951, section 3.2.4).
 */
export interface CachedPage {
  parts: readonly Part[];
  /** Render time in epoch milliseconds. */
  at: number;
}

interface Part {
  plain: Buffer;
  compressed: Buffer;
  crc: number;
  /** CRC shift for this part's length. */
  shift: number;
}

/** Anonymous pages; any content change forgets all. */
export interface PageCache {
  get(key: string, now: number): CachedPage | null;
  /** Invalidation count. Read it before rendering and pass it to `set`. */
  drops(): number;
  /** Stores a page, unless rendering started before the last invalidation: its content may be stale. */
  set(key: string, html: string, placeholder: string, now: number, drops: number): CachedPage;
  clear(): void;
}

/**
 * Returns true if the Cookie header can't contain a session. Deliberately strict: cookie parsers may be more lenient
 * than a pattern here.
 */
export function isAnonymous(cookie: string | null | undefined): boolean {
  return !cookie?.includes('italk.');
}

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
      const page = pageOf(html, placeholder, now);
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

function pageOf(html: string, placeholder: string, now: number): CachedPage {
  return { parts: html.split(placeholder).map(partOf), at: now };
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
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
