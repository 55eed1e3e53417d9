import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Problem } from '#/kernel/problem.ts';
import { procedures } from '../support/procedures.ts';
import { booking, castOf, problemIn, testServer, type Answer, type Cast } from '../support/server.ts';

const server = await testServer();
const { db } = server.database;
let cast: Cast;
beforeAll(async () => {
  cast = await castOf(server);
});

/** UUID version 7. */
const id = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('every answer', () => {
  const body = { email: 'nobody@italk.test', password: 'wrong' };
  test.each([
    ['a page', 'GET', '/', 200],
    ['health', 'GET', '/healthz', 200],
    ['readiness', 'GET', '/readyz', 200],
    ['a procedure', 'GET', '/api/site', 200],
    ['the description', 'GET', '/api/openapi.json', 200],
    ['a refused procedure', 'GET', '/api/appointments', 401],
    ['an unknown procedure', 'GET', '/api/nowhere', 404],
    ['signing out', 'POST', '/api/auth/sign-out', 200],
    ['an identity route', 'POST', '/api/auth/sign-in/email', 400],
    ['an unknown identity route', 'GET', '/api/auth/get-session', 404],
  ])('has the security headers and its own id: %s', async (_, method, path, status) => {
    const send = () => server.guest.send(method, path, method === 'POST' ? { body } : {});
    const [first, second] = [await send(), await send()];
    expect(first.status).toBe(status);
    expect(first.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const directive of [`object-src 'none'`, `base-uri 'none'`, `frame-ancestors 'none'`])
      expect(first.headers['content-security-policy']).toContain(directive);
    expect(first.headers['permissions-policy']).toContain(
      'camera=(self), microphone=(self), display-capture=(self)',
    );
    expect(first.headers['x-request-id']).toMatch(id);
    expect(first.headers).not.toHaveProperty('x-powered-by');
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    if (status >= 400) problemIn(first);
  });

  test.each([
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/sitemap.xml', 'application/xml; charset=utf-8'],
    ['/api/site', 'application/json'],
    ['/api/nowhere', 'application/problem+json'],
  ])('states the type and charset of everything that has text: %s', async (path, type) => {
    expect((await server.guest.send('GET', path)).headers['content-type']).toBe(type);
  });

  test('leads password managers to the page that changes a password', async () => {
    const answer = await server.guest.send('GET', '/.well-known/change-password');
    expect(answer).toMatchObject({ status: 302, headers: { location: '/profile?tab=settings' } });
  });

  test('echoes no request sent by TRACE', async () => {
    const { status, text } = await server.guest.send('TRACE', '/', { headers: { 'x-secret': 'kept' } });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain('kept');
  });

  test('ignores ids set by the sender', async () => {
    const headers = { 'x-request-id': 'mine\tinjected' };
    const { headers: answered } = await server.guest.send('GET', '/api/nowhere', { headers });
    expect(answered['x-request-id']).toMatch(id);
  });

  test('from the API forbids shared caching', async () => {
    for (const path of ['/api/site', '/api/me', '/api/appointments', '/api/nowhere', '/api/auth/nowhere']) {
      expect((await cast.client.send('GET', path)).headers['cache-control'], path).toBe('no-store');
    }
  });

  test('on /readyz reports each part', async () => {
    expect((await server.guest.send('GET', '/readyz')).json).toEqual({
      database: true,
      migrations: true,
      files: true,
      accepting: true,
    });
    expect((await server.guest.send('GET', '/healthz')).json).toEqual({ status: 'ok' });
  });

  test('reports not ready for another release’s database', async () => {
    const ready = () => server.guest.send('GET', '/readyz');
    await sql`update kysely_migration set name = name || '-away'`.execute(db);
    try {
      expect(await ready()).toMatchObject({ status: 503, json: { database: true, migrations: false } });
      expect((await server.guest.send('GET', '/healthz')).status).toBe(200);
    } finally {
      await sql`update kysely_migration set name = replace(name, '-away', '')`.execute(db);
    }
    expect((await ready()).status).toBe(200);
  });
});

test('describes every procedure in OpenAPI 3.1', async () => {
  const { json } = await server.guest.send('GET', '/api/openapi.json');
  const { openapi, paths, servers } = json as {
    openapi: string;
    paths: Record<string, Record<string, object>>;
    servers: unknown;
  };
  expect(openapi).toMatch(/^3\.1\.\d+$/);
  expect(servers).toEqual([{ url: '/api' }]);
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.toSorted()).toEqual(procedures.map(({ method, path }) => `${method} ${path}`).toSorted());
});

describe('a server error', () => {
  /** Personal data sent in the requests below. */
  const secrets = ['Tamar Levy', 'tamar@levy.example', '555 010 0177', 'a-password-of-hers', 'broken heart'];
  const said: string[] = [];
  beforeEach(() => {
    server.log.length = 0;
    said.length = 0;
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        said.push(String(chunk));
        return true;
      });
    }
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, method).mockImplementation(
        (...parts: unknown[]) => void said.push(parts.map(String).join(' ')),
      );
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Renames a table away while `work` runs. */
  async function without(table: string, work: () => Promise<Answer>): Promise<Answer> {
    await sql`alter table ${sql.table(table)} rename to out_of_reach`.execute(db);
    try {
      return await work();
    } finally {
      await sql`alter table out_of_reach rename to ${sql.table(table)}`.execute(db);
    }
  }

  const contact = { name: secrets[0], email: secrets[1], phone: `+1 ${secrets[2]}` };
  const body = { email: secrets[1], password: secrets[3], name: secrets[0] };
  const requests: [what: string, table: string, ask: () => Promise<Answer>][] = [
    ['reading', 'services', () => server.guest.send('GET', '/api/services')],
    [
      'booking',
      'reminders',
      () => {
        const of = { providerId: cast.providerId, serviceId: cast.serviceId, startsAt: cast.freeStart };
        return cast.client.send('POST', '/api/bookings', { body: { ...booking(of), contact } });
      },
    ],
    [
      'cancelling',
      'participants',
      () => {
        const path = `/api/appointments/${cast.appointmentId}/cancel`;
        return cast.client.send('POST', path, { body: { reason: `A ${secrets[4]}` } });
      },
    ],
    ['signing up', 'profiles', () => server.guest.send('POST', '/api/auth/sign-up/email', { body })],
    ['signing in', 'credentials', () => server.guest.send('POST', '/api/auth/sign-in/email', { body })],
    ['finding out who asks', 'sessions', () => cast.client.send('GET', '/api/me')],
    ['counting', 'rate_limits', () => cast.client.send('POST', '/api/me/preferences', { body: {} })],
    [
      'noting a refusal',
      'audit_entries',
      () => cast.provider.send('POST', '/api/bookings', { body: { contact } }),
    ],
  ];

  test.each(requests)('while %s reveals only its id, with nothing private logged', async (_, table, ask) => {
    const answer = await without(table, ask);
    expect(answer.status).toBe(500);
    const requestId = answer.headers['x-request-id'];
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.json).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'unexpected',
      reason: 'unexpected',
      fields: [],
      data: {},
      requestId,
    } satisfies Record<keyof Problem, unknown>);
    const lines = server.log.map((line) => JSON.parse(line) as { requestId?: string; err: object });
    expect(lines.map((line) => line.requestId)).toContain(requestId);
    expect(lines[0]).toMatchObject({ level: 50, err: { message: 'SQLSTATE 42P01' } });
    for (const secret of secrets) expect(`${server.log.join('')}${said.join('')}`).not.toContain(secret);
    expect(said).toEqual([]);
  });

  test('leaves the server running', async () => {
    expect((await cast.client.send('GET', `/api/appointments/${cast.appointmentId}`)).json).toMatchObject({
      status: 'confirmed',
    });
    expect(server.log).toEqual([]);
  });
});
