export interface PictureFacts {
  picture: boolean;
  /** Null if the first bytes don't say. */
  pixels: number | null;
}

/** Largest upload in pixels: the server decodes 8192 × 6144, or 48 million with transparency. */
export const maxPixels = 50_331_648;

export const factBytes = 32;

/** Detects image types, and reads PNG dimensions (RFC 2083, 4.1.1). */
export function pictureFacts(head: Uint8Array): PictureFacts {
  const begins = (at: number, text: string) =>
    Array.from(text).every((letter, index) => head[at + index] === letter.codePointAt(0));
  if (begins(0, '\u0089PNG\r\n\u001a\n')) {
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    return { picture: true, pixels: head.length < 24 ? null : view.getUint32(16) * view.getUint32(20) };
  }
  const jpeg = begins(0, '\u00ff\u00d8\u00ff');
  const webp = begins(0, 'RIFF') && begins(8, 'WEBP');
  return { picture: jpeg || webp, pixels: null };
}

export interface Square {
  x: number;
  y: number;
  side: number;
}

/** Uses fractions of the displayed picture. */
export function photoQueryOf({ x, y, side }: Square, width: number, height: number): string {
  const fraction = (part: number, whole: number) =>
    Math.min(1, Math.max(0, part / whole))
      .toFixed(6)
      .replace(/\.?0+$/, '');
  const size = fraction(side, Math.min(width, height));
  return `left=${fraction(x, width)}&top=${fraction(y, height)}&size=${size}`;
}

export function squareWithin(
  side: number,
  around: { x: number; y: number },
  width: number,
  height: number,
): Square {
  const fitting = Math.min(side, width, height);
  const between = (value: number, max: number) => Math.min(Math.max(value, 0), max);
  return {
    side: fitting,
    x: between(around.x - fitting / 2, width - fitting),
    y: between(around.y - fitting / 2, height - fitting),
  };
}
