import { z } from 'zod';
import { requireSignedIn, type ProgramCaller } from '#/features/accounts/program-caller/commands.ts';
import { requireRoute } from '#/features/accounts/programs/policies.ts';
import { AppError, invalidField, isLogged } from '#/kernel/errors.ts';
import { problemOf } from '#/kernel/problem.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { jsonBody, parseBody } from '#/platform/http/json-body.ts';
import type { Log } from '#/platform/log.ts';
import type { Connection } from '#/platform/realtime/frames.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { logRefusal } from './refusals.ts';
import { inputOf, handleBroadcast, type ProgramParts } from './program-topics.ts';

const payload = z.record(z.string(), z.unknown());

/** Body of the published client's `httpSend`. One message per request, so request limits apply. */
const batch = z.object({
  messages: z
    .array(z.strictObject({ topic: z.string(), event: z.string(), payload, private: z.boolean().optional() }))
    .length(1),
});

interface Sent {
  ctx: Ctx;
  request: Request;
  caller: ProgramCaller;
}

type Broadcast = Parameters<typeof handleBroadcast>[2];

const routes: Readonly<Record<string, (body: unknown, named: Broadcast) => Broadcast>> = {
  'POST /api/broadcast': (body) => {
    const [message] = parseBody(batch, body).messages;
    return { name: message!.topic, event: message!.event, payload: message!.payload };
  },
  'POST /api/broadcast/:topic/events/:event': (body, named) => ({
    ...named,
    payload: parseBody(payload, body),
  }),
};

const addressed = new URLPattern({ pathname: '/realtime/v1/api/broadcast/:topic/events/:event' });

/** Answers broadcasts of programs under `/realtime/v1`. Reads no cookies. */
export async function answerBroadcast(sent: Sent, parts: ProgramParts, log: Log): Promise<Response> {
  const { ctx } = sent;
  const headers = { 'cache-control': 'no-store' };
  try {
    await broadcast(sent, parts);
    return new Response(null, { status: 202, headers });
  } catch (error) {
    if (isLogged(error)) log.error({ err: error, requestId: ctx.requestId }, 'a program’s request failed');
    const problem = problemOf(error, ctx.requestId);
    return Response.json({ ...problem, error: problem.reason }, { status: problem.status, headers });
  }
}

async function broadcast({ ctx, request, caller }: Sent, parts: ProgramParts): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url);
  const { topic = '', event = '' } = addressed.exec({ pathname })?.pathname.groups ?? {};
  const path = topic ? '/api/broadcast/:topic/events/:event' : pathname.slice('/realtime/v1'.length);
  const read = await requireRoute(ctx, routes, `${request.method} ${path}`);
  const actor = requireSignedIn(caller);
  if ([...query.keys()].some((name) => name.startsWith('persist')))
    throw invalidField('persist', 'unknown_field');
  const named = { name: decodeURIComponent(topic), event: decodeURIComponent(event), payload: {} };
  const told: Parameters<Connection['tell']>[] = [];
  const connection: Connection = {
    id: ctx.newId(),
    grant: noSocket,
    withdraw: noSocket,
    send: noSocket,
    onClose: noSocket,
    tell: (...those) => void told.push(those),
  };
  const by = { ...ctx, actor };
  const said = read(await jsonBody(request), named);
  await handleBroadcast(parts, by, said, connection).catch(async (error: unknown) => {
    await logRefusal(by, 'realtime', error, inputOf(said.name));
    throw error;
  });
  await transact(ctx, async (tx) => {
    for (const [topics, message] of told) await publish(tx, [...topics], message);
  });
}

function noSocket(): never {
  throw new AppError('conflict', 'no_socket');
}
