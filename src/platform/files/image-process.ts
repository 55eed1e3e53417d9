// Decodes one image and exits. Runs in a separate process, started by image.ts: malicious images can't reach the
// server's memory or environment, nor block its password hashing threads.
import { buffer } from 'node:stream/consumers';
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Crop, ImageAnswer, ImageTask, Shape } from './image-work.ts';

/** 8192 × 6144, a 50-megapixel photo. Decoding a progressive JPEG needs twice the memory. */
const maxPixels = 50_331_648;
/** In bytes: 48 million pixels with transparency. */
const maxDecoded = 192_000_000;
/** Bytes per sample by libvips format; unknown formats count as the largest. */
const sampleBytes: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };
const largestSample = 16;

sharp.concurrency(1);
sharp.cache(false);

async function measure(photo: Buffer) {
  const facts: Metadata = await sharp(photo, { limitInputPixels: false }).metadata();
  const { width, height, channels, depth, pages = 1, autoOrient } = facts;
  // Animations hold all frames in memory.
  const pixels = width * height * pages;
  const bytes = pixels * channels * (sampleBytes[depth] ?? largestSample);
  return { ...autoOrient, pages, tooLarge: pixels > maxPixels || bytes > maxDecoded };
}

function open(photo: Buffer, animated: boolean): Sharp {
  return sharp(photo, { limitInputPixels: maxPixels, failOn: 'error', animated }).autoOrient();
}

function partOf({ width, height }: Shape, shape: Shape, crop: Crop | null) {
  const largest = Math.min(width / shape.width, height / shape.height) * capped(crop?.side ?? 1, 1);
  const part = {
    width: sideOf(shape.width * largest, width),
    height: sideOf(shape.height * largest, height),
  };
  const left = crop ? crop.left * width : (width - part.width) / 2;
  const top = crop ? crop.top * height : (height - part.height) / 2;
  return {
    left: Math.round(capped(left, width - part.width)),
    top: Math.round(capped(top, height - part.height)),
    ...part,
  };
}

function sideOf(length: number, max: number): number {
  return Math.max(1, Math.min(Math.round(length), max));
}

function capped(value: number, max: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(value, 0), max);
}

async function work(photo: Buffer, task: ImageTask): Promise<[ImageAnswer, Buffer?]> {
  const { width, height, pages, tooLarge } = await measure(photo);
  if (tooLarge) return [{ refusal: 'image_too_many_pixels' }];
  const made =
    task.make === 'shape'
      ? open(photo, false)
          .extract(partOf({ width, height }, task.shape, task.crop))
          .resize(task.shape.width, task.shape.height)
          .webp({ quality: 82 })
      : open(photo, pages > 1)
          .jpeg({ quality: 88, force: false })
          .webp({ quality: 88, force: false })
          .gif({ effort: 3, force: false });
  return [{ width, height }, await made.toBuffer()];
}

const [, , task = ''] = process.argv;
const [answer, picture] = await work(await buffer(process.stdin), JSON.parse(task) as ImageTask).catch(
  (): [ImageAnswer] => [{ refusal: 'image_unreadable' }],
);
process.stdout.write(`${JSON.stringify(answer)}\n`);
if (picture) process.stdout.write(picture);
