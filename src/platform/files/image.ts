import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { invalidField } from '#/kernel/errors.ts';
import { check } from './bytes.ts';
import type { Bucket, Bytes } from './files.ts';
import type { Crop, ImageAnswer, ImageTask, Shape } from './image-work.ts';
import { takeTurns } from './turns.ts';

export type { Crop } from './image-work.ts';

/** What a picture may be sent as: at most 5 MB, and a real one of these types. */
const accepted: Pick<Bucket, 'maxBytes' | 'contentTypes'> = {
  maxBytes: 5 * 1024 * 1024,
  contentTypes: ['image/jpeg', 'image/png', 'image/webp'],
};
/** A message brings up to five files at once. */
const inTurn = takeTurns({ all: 16, each: 6 });
/** The largest picture takes some seconds on a slow machine; one that takes longer is given up, in milliseconds. */
const mostMs = 60_000;
const program = fileURLToPath(new URL('./image-process.ts', import.meta.url));

/** A file that a person sends. */
export interface Sent {
  ownerId: string;
  body: Bytes;
}

/**
 * Draws a picture again in a shape: upright, cut to the part that is shown (the middle one unless told otherwise), as WebP
 * without anything else that was in the file, such as where it was taken. Throws invalid `file_empty`, `file_too_large`,
 * `file_type`, `image_too_many_pixels` or `image_unreadable` (field `file`), or unavailable `busy`.
 */
export async function redraw(
  { ownerId, body }: Sent,
  shape: Shape,
  crop: Crop | null = null,
): Promise<Uint8Array> {
  const { chunks } = await check(body, accepted);
  const { picture } = await made(ownerId, await buffer(chunks), { make: 'shape', shape, crop });
  return picture;
}

/** A file as it is kept: what its bytes show it to be, and a picture's measures in pixels. */
export interface Cleaned {
  contentType: string;
  body: Bytes;
  width: number | null;
  height: number | null;
}

/**
 * Takes a file as a bucket takes it; a picture is drawn again, upright and without anything else that was in its file,
 * such as where it was taken. Throws invalid `file_empty`, `file_too_large`, `file_type`, `image_too_many_pixels` or
 * `image_unreadable` (field `file`), or unavailable `busy`.
 */
export async function cleaned(
  { ownerId, body }: Sent,
  bucket: Pick<Bucket, 'maxBytes' | 'contentTypes'>,
): Promise<Cleaned> {
  const { contentType, chunks } = await check(body, bucket);
  if (!contentType.startsWith('image/'))
    return { contentType, body: ReadableStream.from(chunks), width: null, height: null };
  const { picture, width, height } = await made(ownerId, await buffer(chunks), { make: 'copy' });
  return { contentType, body: picture, width, height };
}

async function made(ownerId: string, photo: Buffer, task: ImageTask) {
  const answered = await inTurn(ownerId, () => drawn(photo, task));
  const end = answered.indexOf('\n');
  // A process that ended without an answer was stopped, by its time or by the system.
  if (end < 0) throw invalidField('file', 'image_unreadable');
  const answer = JSON.parse(answered.toString('utf8', 0, end)) as ImageAnswer;
  if ('refusal' in answer) throw invalidField('file', answer.refusal);
  return { ...answer, picture: answered.subarray(end + 1) };
}

/** What the image process answers; nothing if it couldn't end its work. */
async function drawn(photo: Buffer, task: ImageTask): Promise<Buffer> {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    // Nothing of the server's environment: its keys are no business of a decoder's.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: mostMs,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // A process that ends before it has read everything breaks the pipe; what it answered counts.
  child.stdin.on('error', () => undefined);
  child.stdin.end(photo);
  if (child.pid !== undefined) setPriority(child.pid, 10);
  const [answered, code] = await Promise.all([buffer(child.stdout), ended]);
  return code === 0 ? answered : Buffer.alloc(0);
}
