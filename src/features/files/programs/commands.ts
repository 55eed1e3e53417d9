import type { z } from 'zod';
import type { Access } from '#/features/access/contract.ts';
import { authorize } from '#/features/access/rules.ts';
import { requireSignedIn, type ProgramCaller } from '#/features/accounts/program-caller/commands.ts';
import { opensLink } from '#/features/accounts/queries.ts';
import { requireRoute } from '#/features/accounts/programs/policies.ts';
import { AppError, isLogged } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { serveFile } from '#/platform/files/serve.ts';
import { fileOfForm } from '#/platform/http/forms.ts';
import { jsonBody, parseBody } from '#/platform/http/json-body.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { arrivingBody } from '#/platform/http/uploads.ts';
import type { Log } from '#/platform/log.ts';
import {
  createBucket,
  emptyBucket,
  removeBucket,
  updateBucket,
  copyDocument,
  linkFile,
  lockDocuments,
  removeDocument,
  renameDocument,
  replaceDocument,
  storeDocument,
} from '../commands.ts';
import { requireOwner } from '../policies.ts';
import { maxDocumentBytes, documents } from '../rules.ts';
import { storageInputs } from './contract.ts';
import {
  ownFileAt,
  requireBucketName,
  requireFileIn,
  requireOwnFileAt,
  type FileLocation,
} from './policies.ts';
import { storageBucket, storageInfo, storageObject } from './queries.ts';
import { storageError } from './rules.ts';

interface StorageCall {
  ctx: Ctx;
  request: Request;
  location: FileLocation;
  query: URLSearchParams;
  caller: ProgramCaller;
  /** Throws unless the token still belongs to the same person. */
  requireSender(): Promise<void>;
  /** Logs a refusal that may be an attempt. */
  note(ctx: Ctx, error: unknown, input: object): Promise<void>;
}

type Route = (call: StorageCall) => Promise<object>;

/** Answers the published client’s calls under `/storage/v1`, with the browser’s own commands. Reads no cookies. */
export async function answerStorage(
  sent: Pick<StorageCall, 'ctx' | 'request' | 'caller' | 'requireSender' | 'note'>,
  log: Log,
): Promise<Response> {
  const { ctx, request } = sent;
  try {
    const { pathname, searchParams: query } = new URL(request.url);
    const { route, location } = routeOf(request.method, pathname);
    const answer = await requireRoute(ctx, routes, route);
    if (location.bucket) requireBucketName(location.bucket);
    const body = await answer({ ...sent, location, query });
    return body instanceof Response
      ? body
      : Response.json(body, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    const cause = request.signal.aborted ? new AppError('invalid', 'broken_off') : error;
    if (isLogged(cause)) log.error({ err: cause, requestId: ctx.requestId }, 'a program’s request failed');
    const { status, code, message } = storageError(cause);
    const headers = { 'cache-control': 'no-store' };
    return Response.json({ statusCode: String(status), code, error: code, message }, { status, headers });
  }
}

/** For people with this access; reads no body without a schema. */
function forPerson<Schema extends z.ZodType>(
  access: Access,
  schema: Schema | null,
  run: (ctx: Ctx, input: z.output<Schema>, call: StorageCall) => Promise<object>,
): Route {
  return async (call) => {
    const ctx = { ...call.ctx, actor: requireSignedIn(call.caller) };
    let input = {} as z.output<Schema>;
    try {
      authorize(ctx.actor, access);
      if (schema) input = parseBody(schema, await jsonBody(call.request));
      return await run(ctx, input, call);
    } catch (error) {
      await call.note(ctx, error, { ...call.location, ...(input as object) });
      throw error;
    }
  };
}

/** For calls of the published client without a counterpart. */
const closed: Route = () => Promise.reject(new AppError('invalid', 'not_supported'));

/** For links that work without signing in; a token next to one doesn’t count. */
const forGuest: Route = (call) => serve({ ...call.ctx, actor: { kind: 'guest' } }, call.location.path, call);

async function serve(ctx: Ctx, fileId: string, { request, location, query }: StorageCall): Promise<Response> {
  requireOptions(query, ['cacheNonce', 'download', 'for', 'made', 'expires', 'signature']);
  if (query.get('download')) throw new AppError('invalid', 'not_supported');
  await requireFileIn(ctx, location.bucket, fileId);
  const answer = await serveFile(ctx, request, fileId, opensLink);
  if (answer.headers.has('vary')) answer.headers.set('vary', 'authorization');
  return answer;
}

/** Throws invalid `not_supported` for options beyond these. */
function requireOptions(query: URLSearchParams, known: readonly string[]): void {
  if ([...query.keys()].some((name) => !known.includes(name))) throw new AppError('invalid', 'not_supported');
}

const upload = forPerson('signed_in', null, async (ctx, _, { request, location, requireSender }) => {
  if (location.bucket !== documents) throw new AppError('conflict', 'not_a_document');
  const isUpdate = request.method === 'PUT';
  const old = await (isUpdate ? requireOwnFileAt : ownFileAt)(ctx, location);
  if (old && !isUpdate && request.headers.get('x-upsert') !== 'true')
    throw new AppError('conflict', 'name_taken');
  const body = contentOf(request, requireSender);
  const { id, name } = old
    ? await replaceDocument(ctx, old.id, body)
    : await storeDocument(ctx, { name: location.path, body }, { distinct: true });
  return { Id: id, Key: `${documents}/${name}` };
});

/** Returns the file as it arrives, alone or in a form. Every file is cached for an hour and has no metadata. */
function contentOf(request: Request, requireSender: () => Promise<void>): ReadableStream<Uint8Array> {
  const { headers } = request;
  const others = ['x-metadata', 'content-encoding'].some((name) => headers.has(name));
  if (others || (headers.get('cache-control') ?? 'max-age=3600') !== 'max-age=3600')
    throw new AppError('invalid', 'not_supported');
  const body = arrivingBody(request, maxDocumentBytes, requireSender);
  const contentType = headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) return body;
  return ReadableStream.from(
    fileOfForm(body, contentType, (name, value) => {
      if (name !== 'cacheControl' || value !== '3600') throw new AppError('invalid', 'not_supported');
    }),
  );
}

/** Per person. Each link writes an audit entry, and one call can create a hundred. */
const linksPerMinute = 600;

async function signedUrl(ctx: Ctx, location: FileLocation, seconds: number): Promise<string> {
  const { id, bucket } = await requireOwnFileAt(ctx, location);
  if (!(await countAttempt(ctx.db, `links:${requireOwner(ctx)}`, linksPerMinute, 60, ctx.now())))
    throw new AppError('rate_limited', 'too_many_changes');
  const { path } = await linkFile(ctx, id, seconds);
  return `/object/sign/${bucket}/${id}${path.slice(path.indexOf('?'))}`;
}

async function signedUrlIfAny(ctx: Ctx, location: FileLocation, seconds: number) {
  const { path } = location;
  try {
    return { path, error: null, signedURL: await signedUrl(ctx, location, seconds) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    return { path, error: storageError(error).message, signedURL: null };
  }
}

const manage = ['manage_settings'] as const;
const own = 'signed_in';

const routes: Readonly<Record<string, Route>> = {
  'GET /bucket': forPerson(manage, null, async (ctx, _, { query }) => {
    requireOptions(query, []);
    return (await ctx.files.buckets.list(ctx)).map(storageBucket);
  }),
  'GET /bucket/:bucket': forPerson(manage, null, async (ctx, _, { location }) =>
    storageBucket(await ctx.files.buckets.get(ctx, location.bucket)),
  ),
  'POST /bucket': forPerson(manage, storageInputs.createBucket, async (ctx, input) => {
    const { id } = await createBucket(ctx, input);
    return { name: id };
  }),
  'PUT /bucket/:bucket': forPerson(manage, storageInputs.changeBucket, async (ctx, input, { location }) => {
    await updateBucket(ctx, { bucketId: location.bucket, ...input });
    return { message: 'Successfully updated' };
  }),
  'POST /bucket/:bucket/empty': forPerson(manage, null, async (ctx, _, { location }) => {
    await emptyBucket(ctx, location.bucket);
    return { message: 'Successfully emptied' };
  }),
  'DELETE /bucket/:bucket': forPerson(manage, null, async (ctx, _, { location }) => {
    await removeBucket(ctx, location.bucket);
    return { message: 'Successfully deleted' };
  }),
  'POST /object/list/:bucket': forPerson(own, storageInputs.list, async (ctx, input, { location }) => {
    const { search = '', limit, offset } = input;
    const wanted = { ownerId: requireOwner(ctx), search, limit, offset };
    return (await ctx.files.list(ctx, location.bucket, wanted)).map(storageObject);
  }),
  'POST /object/move': forPerson(own, storageInputs.moveOrCopy, async (ctx, input) => {
    const { id } = await requireOwnFileAt(ctx, { bucket: input.bucketId, path: input.sourceKey });
    await renameDocument(ctx, id, input.destinationKey, { distinct: true });
    return { message: 'Successfully moved' };
  }),
  'POST /object/copy': forPerson(own, storageInputs.moveOrCopy, async (ctx, input) => {
    const from = await requireOwnFileAt(ctx, { bucket: input.bucketId, path: input.sourceKey });
    const { id, name } = await copyDocument(ctx, from.id, input.destinationKey, { distinct: true });
    return { Id: id, Key: `${documents}/${name}` };
  }),
  'POST /object/sign/:bucket': forPerson(own, storageInputs.signMany, async (ctx, input, { location }) => {
    const links = [];
    for (const path of input.paths)
      links.push(await signedUrlIfAny(ctx, { bucket: location.bucket, path }, input.expiresIn));
    return links;
  }),
  'POST /object/sign/:bucket/:path+': forPerson(
    own,
    storageInputs.sign,
    async (ctx, input, { location }) => ({
      signedURL: await signedUrl(ctx, location, input.expiresIn),
    }),
  ),
  'GET /object/sign/:bucket/:path+': forGuest,
  'GET /object/public/:bucket/:path+': forGuest,
  'GET /object/info/:bucket/:path+': forPerson(own, null, async (ctx, _, { location, query }) => {
    requireOptions(query, []);
    return storageInfo(await requireOwnFileAt(ctx, location));
  }),
  'POST /object/upload/sign/:bucket/:path+': closed,
  'PUT /object/upload/sign/:bucket/:path+': closed,
  'POST /object/list-v2/:bucket': closed,
  'GET /render/:path+': closed,
  'DELETE /cdn/:path+': closed,
  'GET /object/:bucket/:path+': forPerson(own, null, async (ctx, _, call) =>
    serve(ctx, (await ownFileAt(ctx, call.location))?.id ?? call.location.path, call),
  ),
  'POST /object/:bucket/:path+': upload,
  'PUT /object/:bucket/:path+': upload,
  'DELETE /object/:bucket': forPerson(own, storageInputs.remove, (ctx, input, { location }) =>
    transact(ctx, async (tx) => {
      await lockDocuments(tx, requireOwner(ctx));
      const removed = [];
      for (const path of input.prefixes) {
        const file = await ownFileAt(tx, { bucket: location.bucket, path });
        if (!file) continue;
        await removeDocument(tx, file.id);
        removed.push(storageObject(file));
      }
      return removed;
    }),
  ),
};

const addresses = Object.keys(routes).map((route) => {
  const [method, path] = route.split(' ') as [string, string];
  return { route, method, pattern: new URLPattern({ pathname: `/storage/v1${path}` }) };
});

function routeOf(asked: string, pathname: string): { route: string; location: FileLocation } {
  const method = asked === 'HEAD' ? 'GET' : asked;
  for (const { route, pattern, ...one } of addresses) {
    const found = one.method === method ? pattern.exec({ pathname })?.pathname.groups : undefined;
    const { bucket = '', path = '' } = found ?? {};
    if (found)
      return { route, location: { bucket: decodeURIComponent(bucket), path: decodeURIComponent(path) } };
  }
  return { route: '', location: { bucket: '', path: '' } };
}
