import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { invalidField } from '#/kernel/errors.ts';
import { release } from '../release.ts';
import { check } from './bytes.ts';
import type { Bucket, Bytes } from './files.ts';
import type { Crop, ImageAnswer, ImageTask, Shape } from './image-work.ts';
import { createFairQueue } from './turns.ts';

export type { Crop } from './image-work.ts';

const accepted: Pick<Bucket, 'maxBytes' | 'contentTypes'> = {
  maxBytes: 5 * 1024 * 1024,
  contentTypes: ['image/jpeg', 'image/png', 'image/webp'],
};
/** `each` covers the five files of a message. */
const inTurn = createFairQueue({ all: 16, each: 6 });
/** Processing timeout in milliseconds; the largest images take several seconds on slow machines. */
const maxMs = 60_000;
const program = fileURLToPath(new URL('src/platform/files/image-process.ts', release));

export interface Sent {
  ownerId: string;
  body: Bytes;
}

/**
 * Re-encodes an image as WebP: upright, cropped to the shape (centered by default), stripped of metadata such as
 * location. Throws invalid `file_empty`, `file_too_large`, `file_type`, `image_too_many_pixels` or `image_unreadable`
 * (field `file`), or unavailable `busy`.
 */
export async function reencodeImage(
  { ownerId, body }: Sent,
  shape: Shape,
  crop: Crop | null = null,
): Promise<Uint8Array> {
  const { chunks } = await check(body, accepted);
  const { picture } = await drawImage(ownerId, await buffer(chunks), { make: 'shape', shape, crop });
  return picture;
}

export interface Cleaned {
  contentType: string;
  body: Bytes;
  width: number | null;
  height: number | null;
}

/**
 * Validates a file for a bucket. Re-encodes images upright, stripping metadata such as location. Throws invalid
 * `file_empty`, `file_too_large`, `file_type`, `image_too_many_pixels` or `image_unreadable` (field `file`), or
 * unavailable `busy`.
 */
export async function cleaned(
  { ownerId, body }: Sent,
  bucket: Pick<Bucket, 'maxBytes' | 'contentTypes'>,
): Promise<Cleaned> {
  const { contentType, chunks } = await check(body, bucket);
  if (!contentType.startsWith('image/'))
    return { contentType, body: ReadableStream.from(chunks), width: null, height: null };
  const { picture, width, height } = await drawImage(ownerId, await buffer(chunks), { make: 'copy' });
  return { contentType, body: picture, width, height };
}

async function drawImage(ownerId: string, photo: Buffer, task: ImageTask) {
  const answered = await inTurn(ownerId, () => drawn(photo, task));
  const end = answered.indexOf('\n');
  // No response: the process was killed, by its timeout or the operating system.
  if (end < 0) throw invalidField('file', 'image_unreadable');
  const answer = JSON.parse(answered.toString('utf8', 0, end)) as ImageAnswer;
  if ('refusal' in answer) throw invalidField('file', answer.refusal);
  return { ...answer, picture: answered.subarray(end + 1) };
}

async function drawn(photo: Buffer, task: ImageTask): Promise<Buffer> {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    // Keeps the server's secrets away from the decoder.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: maxMs,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // A process may exit before reading all input, which breaks the pipe; its response still counts.
  child.stdin.on('error', () => undefined);
  child.stdin.end(photo);
  if (child.pid !== undefined) setPriority(child.pid, 10);
  const [answered, code] = await Promise.all([buffer(child.stdout), ended]);
  return code === 0 ? answered : Buffer.alloc(0);
}
