import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '../context.ts';
import { isKnown, mayServeRange, partOf } from '../http/ranges.ts';
import type { OpenLink, StoredFile } from './files.ts';
import { nameWithExtension } from './names.ts';

/** Browser cache lifetime in seconds (client spec, section 9). */
const cacheSeconds = 3_600;

/** Whether a person's link to a file works. */
export type LinkWorks = (ctx: Ctx, link: OpenLink, file: StoredFile) => Promise<boolean>;

/**
 * Serves a file for GET or HEAD, with range support (RFC 9110, sections 13 and 14). Private buckets require the owner
 * or a signed link; otherwise, and for encrypted files, throws not_found.
 */
export async function serveFile(
  ctx: Ctx,
  request: Request,
  id: string,
  linkWorks: LinkWorks,
): Promise<Response> {
  const file = await ctx.files.info(ctx, id);
  return answerFile(ctx, request, file, await cacheHeaders(ctx, request, file, linkWorks));
}

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
  const ranged = isGet && mayServeRange(request.headers.get('if-range'), etag);
  const part = ranged ? partOf(request.headers.get('range'), size) : null;
  if (part === 'unsatisfiable') return rangeNotSatisfiable(size);
  if (part) headers.set('content-range', `bytes ${part.start}-${part.end}/${size}`);
  headers.set('content-length', String(part ? part.end - part.start + 1 : size));
  const body = isGet ? await ctx.files.read(ctx, file.id, part ?? undefined) : null;
  return new Response(body, { status: part ? 206 : 200, headers });
}

async function cacheHeaders(
  ctx: Ctx,
  { url }: Request,
  file: StoredFile,
  linkWorks: LinkWorks,
): Promise<Record<string, string>> {
  const { readableBy, sealed } = await ctx.files.buckets.get(ctx, file.bucket);
  if (sealed) throw new AppError('not_found', 'file');
  if (readableBy === 'everyone') return { 'cache-control': `public, max-age=${cacheSeconds}` };
  const { actor } = ctx;
  const isOwner = actor.kind === 'person' && actor.id === file.ownerId;
  if (isOwner) return { 'cache-control': `private, max-age=${cacheSeconds}`, vary: 'cookie' };
  const link = ctx.files.openLinkOf(ctx, file.id, new URL(url).searchParams);
  if (!link || !(await linkWorks(ctx, link, file))) throw new AppError('not_found', 'file');
  const left = Math.floor(ctx.now().until(link.until).total('seconds'));
  return { 'cache-control': `private, max-age=${Math.min(cacheSeconds, left)}` };
}

function describe({ name, contentType }: StoredFile, download: boolean): [string, string][] {
  const opened = !download && /^(?:image|audio|video)\/|^application\/pdf$/.test(contentType);
  return [
    ['content-type', contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType],
    [
      'content-disposition',
      `${opened ? 'inline' : 'attachment'}; ${fileName(nameWithExtension(name, contentType))}`,
    ],
    ['accept-ranges', 'bytes'],
    ['content-security-policy', policyOf(contentType)],
  ];
}

/** Prevents uploaded files from running scripts. */
function policyOf(contentType: string): string {
  const policy = `default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'`;
  // Browsers' PDF viewers fail in a sandbox; they run any scripts outside our origin.
  if (contentType === 'application/pdf') return `${policy}; object-src 'self'`;
  // Media opened directly needs an origin.
  return `${policy}; sandbox allow-same-origin`;
}

/** An ASCII file name for old clients, plus the full one (RFC 6266, section 4.3; RFC 8187). */
function fileName(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${whole}`;
}

function rangeNotSatisfiable(size: number): Response {
  return new Response(null, {
    status: 416,
    headers: { 'content-range': `bytes */${size}`, 'cache-control': 'no-store' },
  });
}
