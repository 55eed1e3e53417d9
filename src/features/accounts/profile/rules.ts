/** What a photo's file can be seen to be before it is sent, from its first bytes. */
export interface PictureFacts {
  /** Whether it is of a type that is taken. */
  picture: boolean;
  /** In pixels, where the first bytes say so. */
  pixels: number | null;
}

/** The largest picture worth sending, in pixels: the server decodes 8192 × 6144, or 48 million with transparency. */
export const mostPixels = 50_331_648;

/** How many bytes of a file `pictureFacts` looks at. */
export const factBytes = 32;

/** Looks whether bytes begin as JPEG, PNG or WebP do; of PNG also how large the picture says it is (RFC 2083, 4.1.1). */
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

/** The square that is chosen in a picture, in pixels of the picture as it is shown. */
export interface Square {
  x: number;
  y: number;
  side: number;
}

/** The query that tells the server which square of a picture is meant; sizes in the same pixels as the square. */
export function photoQueryOf({ x, y, side }: Square, width: number, height: number): string {
  const fraction = (part: number, whole: number) =>
    Math.min(1, Math.max(0, part / whole))
      .toFixed(6)
      .replace(/\.?0+$/, '');
  const size = fraction(side, Math.min(width, height));
  return `left=${fraction(x, width)}&top=${fraction(y, height)}&size=${size}`;
}

/** The square of a size that stands in the middle of a picture, or as near to `around` as the picture allows. */
export function squareWithin(
  side: number,
  around: { x: number; y: number },
  width: number,
  height: number,
): Square {
  const fitting = Math.min(side, width, height);
  const between = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return {
    side: fitting,
    x: between(around.x - fitting / 2, width - fitting),
    y: between(around.y - fitting / 2, height - fitting),
  };
}
