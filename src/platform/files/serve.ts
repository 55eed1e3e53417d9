import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '../context.ts';
import { isKnown, mayBePart, partOf } from '../http/ranges.ts';
import type { StoredFile } from './files.ts';

/** How long a browser may keep a file without asking again, in seconds: the client spec, section 9. */
const cacheSeconds = 3_600;

/**
 * Answers GET or HEAD of a file, whole or in part (RFC 9110, sections 13 and 14). Everyone reads from a bucket for
 * everyone; from the others the owner does, and whoever has a signed link;
 * what is sealed is given out elsewhere. To all others it isn't there.
 */
export async function serveFile(ctx: Ctx, request: Request, id: string): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const file = await ctx.files.info(ctx, id);
  return answerFile(ctx, request, file, await cacheHeaders(ctx, file, searchParams));
}

/** Answers with a file to whom it has been decided that it opens, by what its `contentType` and `name` are told to be. */
export async function answerFile(
  ctx: Ctx,
  request: Request,
  file: StoredFile,
  cache: Readonly<Record<string, string>>,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const headers = new Headers(cache);
  const etag = `"${file.version}"`;
  headers.set('etag', etag);
  if (isKnown(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers });
  for (const [name, value] of describe(file, searchParams.has('download'))) headers.set(name, value);

  const { size } = file;
  const isGet = request.method === 'GET';
  const ranged = isGet && mayBePart(request.headers.get('if-range'), etag);
  const part = ranged ? partOf(request.headers.get('range'), size) : null;
  if (part === 'unsatisfiable') return beyond(size);
  if (part) headers.set('content-range', `bytes ${part.start}-${part.end}/${size}`);
  headers.set('content-length', String(part ? part.end - part.start + 1 : size));
  const body = isGet ? await ctx.files.read(ctx, file.id, part ?? undefined) : null;
  return new Response(body, { status: part ? 206 : 200, headers });
}

/** Who may keep the answer; throws not_found `file` for whom it isn't there. */
async function cacheHeaders(
  ctx: Ctx,
  file: StoredFile,
  query: URLSearchParams,
): Promise<Record<string, string>> {
  const { readableBy, sealed } = await ctx.files.buckets.get(ctx, file.bucket);
  if (sealed) throw new AppError('not_found', 'file');
  if (readableBy === 'everyone') return { 'cache-control': `public, max-age=${cacheSeconds}` };
  const { actor } = ctx;
  const isOwner = actor.kind === 'person' && actor.id === file.ownerId;
  const until = isOwner ? null : ctx.files.opensUntil(ctx, file.id, query);
  if (!isOwner && !until) throw new AppError('not_found', 'file');
  if (!until) return { 'cache-control': `private, max-age=${cacheSeconds}`, vary: 'cookie' };
  const left = Math.floor(ctx.now().until(until).total('seconds'));
  return { 'cache-control': `private, max-age=${Math.min(cacheSeconds, left)}` };
}

function describe({ name, contentType }: StoredFile, download: boolean): [string, string][] {
  const opened = !download && /^(?:image|audio|video)\/|^application\/pdf$/.test(contentType);
  return [
    ['content-type', contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType],
    ['content-disposition', `${opened ? 'inline' : 'attachment'}; ${fileName(name)}`],
    ['accept-ranges', 'bytes'],
    ['content-security-policy', policyOf(contentType)],
  ];
}

/** Nothing in a file may act: what people send is shown, and runs nowhere. */
function policyOf(contentType: string): string {
  const policy = `default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'`;
  // Browsers show PDFs by a plugin, which a sandbox shuts out; they run its scripts, if any, away from our origin.
  if (contentType === 'application/pdf') return `${policy}; object-src 'self'`;
  // Without an origin, a recording opened on its own couldn't load itself.
  return `${policy}; sandbox allow-same-origin`;
}

/** A download's name for old programs in ASCII, and for the others whole (RFC 6266, section 4.3; RFC 8187). */
function fileName(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${whole}`;
}

function beyond(size: number): Response {
  return new Response(null, {
    status: 416,
    headers: { 'content-range': `bytes */${size}`, 'cache-control': 'no-store' },
  });
}
