import { OpenAPIGenerator } from '@orpc/openapi';
import { OpenAPIHandler } from '@orpc/openapi/fetch';
import { createRouterClient, ORPCError } from '@orpc/server';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { AppError, isLogged } from '#/kernel/errors.ts';
import { problemOf, type Problem } from '#/kernel/problem.ts';
import { authorize, requireScope } from '#/features/access/rules.ts';
import { noteRefusal } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { bind } from '#/platform/http/bind.ts';
import { isMalformedInput, refusalOfInput } from '#/platform/http/validation.ts';
import type { Log } from '#/platform/log.ts';
import { contract } from './contract.ts';
import { features } from './features.ts';
import { isPlainObject, logRefusal } from './refusals.ts';

type Handle = (typeof features)[number]['handlers'];

/** Configuration that the procedures use. */
type ApiConfig = Handle extends (config: infer Config) => unknown ? Config : never;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer Whole,
) => void
  ? Whole
  : never;

/** Every feature's procedures in the contract's order, which the OpenAPI document keeps. Throws if one is missing. */
function handlersOf(config: ApiConfig) {
  const parts = new Map(features.flatMap(({ handlers }) => Object.entries<unknown>(handlers(config))));
  const missing = Object.keys(contract).filter((name) => !parts.has(name));
  if (missing.length > 0) throw new Error(`No feature has handlers for ${missing.join(', ')}`);
  return Object.fromEntries(Object.keys(contract).map((name) => [name, parts.get(name)])) as Intersection<
    ReturnType<Handle>
  >;
}

/** Binds each contract to its procedures behind one guard, which authorizes before validating input. */
export function apiRouter(config: ApiConfig) {
  return bind(contract)
    .use(async ({ context, procedure, path, next }, input: unknown) => {
      try {
        const { access, scope } = procedure['~orpc'].meta;
        requireScope(context.actor, scope);
        authorize(context.actor, access);
        if (isPlainObject(input) && unreadable in input) throw new AppError('invalid', 'malformed');
        return await next();
      } catch (error) {
        const refusal = refusalOfInput(error);
        const { writes } = procedure['~orpc'].meta;
        const procedureName = path.join('.');
        if (isMalformedInput(refusal) && writes?.some((entry) => entry.includes(' security ')))
          await noteRefusal(context, procedureName, refusal.reason);
        else await logRefusal(context, procedureName, refusal, input);
        throw refusal;
      }
    })
    .router(handlersOf(config));
}

export const downloads = features.flatMap((feature) => feature.downloads);

export const uploads = features.flatMap((feature) => feature.uploads);

export const frames = features.flatMap((feature) => feature.frames);

export const channels = features.flatMap((feature) => feature.channels);

export type ApiRouter = ReturnType<typeof apiRouter>;

/** Replaces an unreadable body, so the guard refuses the request first. */
const unreadable = Symbol('unreadable');

/** Accepts only an empty body or a JSON object; the API library also accepts forms and text. */
async function bodyOf(request: { body(): Promise<unknown> }): Promise<object | undefined> {
  const body = await request.body().catch(() => null);
  return body === undefined || isPlainObject(body) ? body : { [unreadable]: true };
}

/** In-process client for server-side rendering, acting for the request's person. */
export function inProcess(router: ApiRouter, ctx: Ctx) {
  return createRouterClient(router, { context: ctx });
}

/** Serves the procedures over HTTP under `/api`; errors use problem+json (RFC 9457). */
export function apiHandler(router: ApiRouter, log: Log): (request: Request, ctx: Ctx) => Promise<Response> {
  const handler = new OpenAPIHandler<Ctx>(router, {
    customErrorResponseBodyEncoder: (error) => error.data as Problem,
    interceptors: [
      async ({ context, request, next, ...options }) => {
        try {
          return await next({ ...options, context, request: { ...request, body: () => bodyOf(request) } });
        } catch (error) {
          const refusal = refusalOfInput(error);
          if (isLogged(refusal)) {
            log.error({ err: error, requestId: context.requestId }, 'a request failed');
          }
          const problem = problemOf(refusal, context.requestId);
          throw new ORPCError(problem.code.toUpperCase(), { status: problem.status, data: problem });
        }
      },
    ],
  });
  return async (request, ctx) => {
    const { matched, response } = await handler.handle(request, { prefix: '/api', context: ctx });
    if (!matched) {
      const problem = problemOf(new AppError('not_found', 'no_such_route'), ctx.requestId);
      return Response.json(problem, {
        status: problem.status,
        headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
      });
    }
    if (response.status >= 400) response.headers.set('content-type', 'application/problem+json');
    response.headers.set('cache-control', 'no-store');
    return response;
  };
}

export function apiDescription(
  router: ApiRouter,
  info: { title: string; version: string },
): Promise<unknown> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  return generator.generate(router, { info, servers: [{ url: '/api' }] });
}
