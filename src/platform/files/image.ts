import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { invalidField } from '#/kernel/errors.ts';
import { check } from './bytes.ts';
import type { Bucket, Bytes } from './files.ts';

/** What a picture is made into, in pixels; its sides say the shape that is cut out of it. */
export interface Shape {
  width: number;
  height: number;
}

/** The part of an upright picture that is shown. */
export interface Crop {
  /** Where it begins, in fractions of the picture's width and height. */
  left: number;
  top: number;
  /** In fractions of the largest part of the shape that the picture holds; of a square, its shorter side. */
  side: number;
}

/** What a picture may be sent as: at most 5 MB, and a real one of these types. */
const accepted: Pick<Bucket, 'maxBytes' | 'contentTypes'> = {
  maxBytes: 5 * 1024 * 1024,
  contentTypes: ['image/jpeg', 'image/png', 'image/webp'],
};
/** A telephone's largest photo has 50 million; a small file can claim a thousand times as many. */
const mostPixels = 64_000_000;

/**
 * Draws a picture anew in a shape: upright, cut to the part that is shown (the middle one unless told otherwise), WebP and
 * nothing of what else stood in the file, such as where it was taken. Throws invalid `file_empty`, `file_too_large`,
 * `file_type`, `image_too_many_pixels` or `image_unreadable` (field `file`).
 */
export async function redraw(body: Bytes, shape: Shape, crop: Crop | null = null): Promise<Uint8Array> {
  const { chunks } = await check(body, accepted);
  const photo = await gather(chunks);
  const { width, height } = await upright(photo);
  return readable(
    open(photo)
      .autoOrient()
      .extract(partOf({ width, height }, shape, crop))
      .resize(shape.width, shape.height)
      .webp({ quality: 82 })
      .toBuffer(),
  );
}

/** A file as it is kept: what its bytes show it to be, and a picture's measures in pixels. */
export interface Cleaned {
  contentType: string;
  body: Bytes;
  width: number | null;
  height: number | null;
}

/**
 * Takes a file as a bucket takes it; a picture is written anew, upright and with nothing of what else stood in its file,
 * such as where it was taken. Throws invalid `file_empty`, `file_too_large`, `file_type`, `image_too_many_pixels` or
 * `image_unreadable` (field `file`).
 */
export async function cleaned(
  sent: Bytes,
  bucket: Pick<Bucket, 'maxBytes' | 'contentTypes'>,
): Promise<Cleaned> {
  const { contentType, chunks } = await check(sent, bucket);
  if (!contentType.startsWith('image/'))
    return { contentType, body: ReadableStream.from(chunks), width: null, height: null };
  const photo = await gather(chunks);
  const { width, height, pages } = await upright(photo);
  // All pictures of a moving one are held at once.
  if (width * height * pages > mostPixels) throw invalidField('file', 'image_too_many_pixels');
  const body = await readable(
    open(photo, { animated: pages > 1 })
      .autoOrient()
      .jpeg({ quality: 88, force: false })
      .webp({ quality: 88, force: false })
      .gif({ effort: 3, force: false })
      .toBuffer(),
  );
  return { contentType, body, width, height };
}

function open(photo: Uint8Array, how: SharpOptions = {}): Sharp {
  return sharp(photo, { limitInputPixels: mostPixels, failOn: 'error', ...how });
}

/** The picture's measures as it is seen, in pixels; read from its head, before anything is decoded. */
async function upright(photo: Uint8Array): Promise<{ width: number; height: number; pages: number }> {
  const {
    width,
    height,
    pages = 1,
    autoOrient,
  }: Metadata = await readable(sharp(photo, { limitInputPixels: false }).metadata());
  if (width * height > mostPixels) throw invalidField('file', 'image_too_many_pixels');
  return { ...autoOrient, pages };
}

function partOf({ width, height }: Shape, shape: Shape, crop: Crop | null) {
  const largest = Math.min(width / shape.width, height / shape.height) * within(crop?.side ?? 1, 1);
  const part = {
    width: sideOf(shape.width * largest, width),
    height: sideOf(shape.height * largest, height),
  };
  const left = crop ? crop.left * width : (width - part.width) / 2;
  const top = crop ? crop.top * height : (height - part.height) / 2;
  return {
    left: Math.round(within(left, width - part.width)),
    top: Math.round(within(top, height - part.height)),
    ...part,
  };
}

function sideOf(length: number, most: number): number {
  return Math.max(1, Math.min(Math.round(length), most));
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
