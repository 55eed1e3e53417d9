interface Part {
  start: number;
  end: number;
}

/**
 * Parses a Range header (RFC 9110, section 14.1.2). Null means the whole body: invalid headers and multiple ranges are
 * ignored.
 */
export function partOf(header: string | null, size: number): Part | 'unsatisfiable' | null {
  const asked = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i.exec(header ?? '');
  if (!asked) return null;
  const [, first, last, suffix] = asked;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last ? Number(last) : Number.POSITIVE_INFINITY;
  if (end < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}

/** Matches If-None-Match against an entity tag (weak comparison, RFC 9110, section 13.1.2). */
export function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, tag]) => tag === etag);
}

/**
 * Checks If-Range against the entity tag (RFC 9110, section 13.1.5). Dates never match: we don't send Last-Modified.
 */
export function mayServeRange(ifRange: string | null, etag: string): boolean {
  return ifRange === null || ifRange.trim() === etag;
}
