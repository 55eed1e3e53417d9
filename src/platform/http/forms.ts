import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#/kernel/errors.ts';

const limits = { files: 1, fields: 10, parts: 11, fieldSize: 1_024, headerPairs: 20, headerSize: 4_096 };

/**
 * Streams the only file of a multipart form. Ends after the whole form was read, so `requireField` has seen all fields.
 * Throws invalid `malformed`, and what `requireField` throws.
 */
export async function* fileOfForm(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  requireField: (name: string, value: string) => void,
): AsyncGenerator<Uint8Array> {
  const form = openForm(contentType);
  let refused: AppError | null = null as AppError | null;
  const refuse = (error: unknown) => {
    refused ??= error instanceof AppError ? error : new AppError('invalid', 'malformed');
  };
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) form.on(limit, refuse);
  form.on('field', (name, value) => {
    try {
      requireField(name, value);
    } catch (error) {
      refuse(error);
    }
  });
  const found = Promise.withResolvers<Readable | null>();
  form.on('file', (_, file) => {
    file.on('error', refuse);
    found.resolve(file);
  });
  const read = pipeline(Readable.fromWeb(body), form).catch(refuse);
  const file = await Promise.race([found.promise, read.then(() => null)]);
  if (!file) refuse(null);
  // A broken-off body leaves its file open.
  void read.then(() => file?.destroy());
  try {
    if (file && !refused) yield* file.iterator({ destroyOnReturn: false });
  } catch (error) {
    refuse(error);
  } finally {
    file?.resume();
    await read;
  }
  if (refused) throw refused;
}

function openForm(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    throw new AppError('invalid', 'malformed');
  }
}
