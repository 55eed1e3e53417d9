/** A part of a body; both ends are included, counted from 0. */
interface Part {
  start: number;
  end: number;
}

/**
 * The part that a Range header asks for of a body of so many bytes (RFC 9110, section 14.1.2). Null: the whole of it,
 * as for a header that can't be understood or that asks for several parts.
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

/** Whether an If-None-Match header names the entity tag, or any (RFC 9110, section 13.1.2: compared weakly). */
export function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, tag]) => tag === etag);
}

/** Whether a part may be sent of what has this entity tag (RFC 9110, section 13.1.5: a date of ours is never sent). */
export function mayBePart(ifRange: string | null, etag: string): boolean {
  return ifRange === null || ifRange.trim() === etag;
}
