import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { arrivingBody, type Upload } from '#/platform/http/uploads.ts';
import { logRefusal } from './refusals.ts';

export function uploadFinder(uploads: readonly Upload[]): (request: Request) => Upload | null {
  const byPath = new Map(uploads.map((upload) => [`/api${upload.path}`, upload]));
  return (request) =>
    request.method === 'POST' ? (byPath.get(new URL(request.url).pathname) ?? null) : null;
}

/** Throws like `arrivingBody`, and invalid `broken_off`. */
export async function receive(
  upload: Upload,
  request: Request,
  ctx: Ctx,
  requireSender: () => Promise<void>,
): Promise<Response> {
  const { searchParams: query } = new URL(request.url);
  const body = arrivingBody(request, upload.maxBytes, requireSender);
  try {
    const answer = await upload.receive(ctx, { query, body });
    return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    await logRefusal(ctx, `upload${upload.path.replaceAll('/', '.')}`, error, Object.fromEntries(query));
    // The client disconnected, so nothing needs logging.
    if (request.signal.aborted) throw new AppError('invalid', 'broken_off');
    throw error;
  }
}
