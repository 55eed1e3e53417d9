import sharp, { type Metadata, type Sharp } from 'sharp';
import { invalidField } from '#/kernel/errors.ts';
import { check } from './bytes.ts';
import type { Bucket, Bytes } from './files.ts';

/** The square of an upright picture that is shown. */
export interface Crop {
  /** Where it begins, in fractions of the picture's width and height. */
  left: number;
  top: number;
  /** In fractions of the picture's shorter side. */
  side: number;
}

/** What a photo may be sent as: at most 5 MB, and a real picture of these types. */
const accepted: Pick<Bucket, 'maxBytes' | 'contentTypes'> = {
  maxBytes: 5 * 1024 * 1024,
  contentTypes: ['image/jpeg', 'image/png', 'image/webp'],
};
/** A telephone's largest photo has 50 million; a small file can claim a thousand times as many. */
const mostPixels = 64_000_000;
/** The sides of what is kept, in pixels. */
const kept = 512;

/**
 * Makes a portrait of a photo: upright, cropped to the square (the middle one unless told otherwise), 512 by 512 pixels
 * of WebP and nothing of what else stood in the file, such as where it was taken. Throws invalid `file_empty`,
 * `file_too_large`, `file_type`, `image_too_many_pixels` or `image_unreadable` (field `file`).
 */
export async function portrait(body: Bytes, crop: Crop | null = null): Promise<Uint8Array> {
  const { chunks } = await check(body, accepted);
  const photo = await gather(chunks);
  const { width, height } = await upright(photo);
  return readable(
    open(photo)
      .autoOrient()
      .extract(squareOf(width, height, crop))
      .resize(kept, kept)
      .webp({ quality: 82 })
      .toBuffer(),
  );
}

function open(photo: Uint8Array): Sharp {
  return sharp(photo, { limitInputPixels: mostPixels, failOn: 'error' });
}

/** The picture's measures as it is seen, in pixels; read from its head, before anything is decoded. */
async function upright(photo: Uint8Array): Promise<{ width: number; height: number }> {
  const { width, height, autoOrient }: Metadata = await readable(
    sharp(photo, { limitInputPixels: false }).metadata(),
  );
  if (width * height > mostPixels) throw invalidField('file', 'image_too_many_pixels');
  return autoOrient;
}

function squareOf(width: number, height: number, crop: Crop | null) {
  const shorter = Math.min(width, height);
  const side = Math.max(1, Math.round(shorter * within(crop?.side ?? 1, 1)));
  const left = crop ? crop.left * width : (width - side) / 2;
  const top = crop ? crop.top * height : (height - side) / 2;
  return {
    left: Math.round(within(left, width - side)),
    top: Math.round(within(top, height - side)),
    width: side,
    height: side,
  };
}

function within(value: number, most: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(value, 0), most);
}

async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw invalidField('file', 'image_unreadable');
  }
}

async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
