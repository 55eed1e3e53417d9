import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Upload } from '#/platform/http/uploads.ts';
import { isNoted, noteRefusal } from './api.ts';

export function uploadFinder(uploads: readonly Upload[]): (request: Request) => Upload | null {
  const byPath = new Map(uploads.map((upload) => [`/api${upload.path}`, upload]));
  return (request) =>
    request.method === 'POST' ? (byPath.get(new URL(request.url).pathname) ?? null) : null;
}

/** Passes the body on as it arrives, then calls `requireSender`: it may take an hour, longer than a session or role. */
export async function receive(
  upload: Upload,
  request: Request,
  ctx: Ctx,
  requireSender: () => Promise<void>,
): Promise<Response> {
  const length = request.headers.get('content-length');
  if (length === null) throw new AppError('invalid', 'length_required');
  if (Number(length) > upload.maxBytes) throw invalidField('file', 'file_too_large');
  const { searchParams: query } = new URL(request.url);
  try {
    const body = (request.body ?? nothing()).pipeThrough(new TransformStream({ flush: requireSender }));
    const answer = await upload.receive(ctx, { query, body });
    return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    if (error instanceof AppError && isNoted(error, ctx, Object.fromEntries(query)))
      await noteRefusal(ctx, `upload${upload.path.replaceAll('/', '.')}`, error.reason);
    // The client disconnected, so nothing needs logging.
    if (request.signal.aborted) throw new AppError('invalid', 'broken_off');
    throw error;
  }
}

function nothing(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}
