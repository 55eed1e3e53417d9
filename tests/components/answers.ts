import { createORPCClient, ORPCError, type ClientContext, type ClientLink } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import contract from 'virtual:contract';
import type { Locator } from 'vitest/browser';
import type { ApiContract } from '#/kernel/contracts.ts';
import { refusalOf } from '#/kernel/problem.ts';

/** A procedure name, or a route outside the contract such as `POST /api/auth/sign-in/email`. */
type Name = string;

interface Route {
  name: Name;
  method: string;
  pattern: RegExp;
}

interface Node {
  readonly [key: string]: Node;
}

/** Literal paths match before parameters. */
const routes = routesIn(contract as unknown as Node, []).toSorted(
  (one, other) => one.pattern.source.split('(?<').length - other.pattern.source.split('(?<').length,
);
const answers = new Map<Name, unknown>();
const asked: { name: Name; input: unknown }[] = [];
const unanswered: Name[] = [];
/** Requests whose bodies are still being read. */
const reading = new Set<(typeof asked)[number]>();

function routesIn(node: Node, trail: readonly string[]): Route[] {
  const definition = node['~orpc'] as unknown as { route: { method?: string; path: string } } | undefined;
  if (!definition) return Object.entries(node).flatMap(([key, child]) => routesIn(child, [...trail, key]));
  const { method = 'POST', path } = definition.route;
  const pattern = new RegExp(`^/api${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return [{ name: trail.join('.'), method, pattern }];
}

/**
 * Sets answers per procedure. Functions receive the input and may be async; a `Response` (see `refusal`) is sent as is;
 * `unreachable` simulates a network error.
 */
export function answer(by: Readonly<Record<Name, unknown>>): void {
  for (const [name, value] of Object.entries(by)) {
    if (!name.includes(' ') && !routes.some((route) => route.name === name))
      throw new Error(`There is no procedure ${name}`);
    answers.set(name, value);
  }
}

/** Presses a control, and changes the answers only then: parts of the page may come late, and load too. */
export async function pressWith(button: Locator, by: Readonly<Record<Name, unknown>>): Promise<void> {
  const change = () => answer(by);
  document.addEventListener('click', change, { capture: true });
  try {
    await button.click();
  } finally {
    document.removeEventListener('click', change, { capture: true });
  }
}

/** An RFC 9457 problem, as sent by the API. */
export function refusal(
  status: number,
  code: string,
  reason: string = code,
  more: { fields?: { field: string; reason: string }[]; data?: object } = {},
): Response {
  const problem = { type: 'about:blank', title: code, status, code, reason, fields: [], data: {}, ...more };
  return Response.json(
    { ...problem, requestId: '01a20c00-0000-7000-8000-000000000000' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
}

/** Simulates an unreachable server. */
export const unreachable = Symbol('unreachable');

/** Returns a procedure's inputs that were read whole, oldest first. */
export function askedFor(name: Name): unknown[] {
  return asked.filter((one) => one.name === name && !reading.has(one)).map(({ input }) => input);
}

/** Resolves once a page has no pending or follow-up requests. */
export async function quiet(): Promise<void> {
  for (let before = -1; before !== asked.length || reading.size > 0;) {
    before = asked.length;
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Resets answers and requests between tests. Returns the requests without an answer. */
export function forgetAnswers(): Name[] {
  answers.clear();
  asked.length = 0;
  return unanswered.splice(0);
}

const realFetch = window.fetch.bind(window);

window.fetch = async (resource, init) => {
  const request = new Request(resource, init);
  const { pathname, searchParams } = new URL(request.url);
  if (!pathname.startsWith('/api/')) return realFetch(resource, init);
  const route = routes.find((one) => one.method === request.method && one.pattern.test(pathname));
  const name = route?.name ?? `${request.method} ${pathname}`;
  // Recorded synchronously: a late entry would leak into the next test.
  const one: (typeof asked)[number] = { name, input: undefined };
  asked.push(one);
  const set = answers.has(name) ? answers.get(name) : refusal(500, 'unexpected');
  // With no answers set, the request comes from an unmounted page.
  if (!answers.has(name) && answers.size > 0) unanswered.push(name);
  reading.add(one);
  const parameters = { ...route?.pattern.exec(pathname)?.groups, ...Object.fromEntries(searchParams) };
  try {
    one.input = await inputOf(request, parameters);
  } finally {
    reading.delete(one);
  }
  const value: unknown =
    typeof set === 'function' ? await (set as (given: unknown) => unknown)(one.input) : set;
  request.signal.throwIfAborted();
  if (value === unreachable) throw new TypeError('Failed to fetch');
  if (value instanceof Response) return value.clone();
  return value === undefined ? new Response(null, { status: 204 }) : Response.json(value);
};

async function inputOf(request: Request, parameters: object): Promise<unknown> {
  if (request.method === 'GET') return parameters;
  const text = await request.clone().text();
  if (!/json/.test(request.headers.get('content-type') ?? '')) return { ...parameters, body: text };
  return { ...parameters, ...(JSON.parse(text || '{}') as object) };
}

/** Server-side API client for loaders: throws refusals with their code. */
export function serverApi(): ContractRouterClient<ApiContract> {
  const link = new OpenAPILink(contract, {
    url: () => `${window.location.origin}/api`,
    fetch: async (request, init) => {
      const { status, body } = await fetch(request, init);
      return new Response(body, { status, headers: { 'content-type': 'application/json' } });
    },
    customErrorResponseBodyDecoder: (body) => new ORPCError('PROBLEM', { data: body }),
    interceptors: [
      ({ next }) =>
        next().catch((error: unknown) => {
          throw (error instanceof ORPCError ? refusalOf(error.data) : null) ?? error;
        }),
    ],
  });
  return createORPCClient(link as ClientLink<ClientContext>);
}
