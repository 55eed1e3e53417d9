import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { castOf, problemIn, testServer, type Cast } from '../support/server.ts';

const server = await testServer();
let cast: Cast;
beforeAll(async () => {
  cast = await castOf(server);
});

describe('an address', () => {
  const range = 'from=2026-03-02T00:00:00Z&to=2026-03-09T00:00:00Z';
  const strange = [
    '/api/appointments/%',
    '/api/appointments/%00',
    '/api/appointments/%ff%fe',
    '/api/appointments/..%2f..%2fme',
    '/api/appointments/__proto__',
    `/api/appointments?${range}&limit=1&limit=2`,
    `/api/appointments?${range}&limit[]=x`,
    `/api/appointments?${range}&limit[a]=1`,
    `/api/appointments?${range}&from[__proto__][x]=1`,
    `/api/appointments?from[0]=a&from[1]=b&to=%`,
    `/api/appointments?${'from[a]'.repeat(500)}=1`,
    `/api/appointments?from=2026-03-09T00:00:00Z`,
    '/api/services/%F0%9F%99%82',
    `/api/services/${'x'.repeat(8_000)}`,
    '/api/specialists?limit=%00',
    '/api/specialists/x/free-starts',
    '/api/mail-tray/%2e%2e',
    '/api/nowhere',
    '/api',
    '/api/',
    '/api//services',
    '/api/services/individuals/%',
  ];

  test.each(strange)('%s is refused', async (path) => {
    expect(['invalid', 'not_found']).toContain(problemIn(await cast.client.send('GET', path)).code);
    expect(server.log).toEqual([]);
  });

  test.each(['/', '/services', '/nowhere', '/services.data'])(
    '%s of a page is refused for methods other than GET',
    async (path) => {
      for (const method of ['POST', 'PUT', 'DELETE'])
        expect(problemIn(await server.guest.send(method, path, { body: {} })).code).toBe('not_found');
      expect(server.log).toEqual([]);
    },
  );

  test('of a form that a browser without script sends shows its page again', async () => {
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
    for (const path of ['/contact', '/reset-password?token=x', '//elsewhere.test/contact']) {
      const answer = await server.guest.send('POST', path, { body: 'name=Ruth', headers });
      expect(answer).toMatchObject({ status: 303, headers: { location: `${server.config.appUrl}${path}` } });
    }
    expect(server.log).toEqual([]);
  });

  test.each([
    'GET //[ HTTP/1.1',
    'GET http://[/api/me HTTP/1.1',
    'GET /api/me HTTP/9.9',
    'GET /\u0000 HTTP/1.1',
  ])('that cannot be read answers no 5xx: %j', async (line) => {
    const socket = connect(server.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
    socket.write(`${line}\r\nHost: italk.test\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  });

  test('at the ends of the calendar is answered or refused', async () => {
    const free = `/api/specialists/${cast.providerId}/free-starts?durationMinutes=60&`;
    const spans = [
      ['0000-01-01T00:00:00Z', '0000-01-02T00:00:00Z'],
      ['9999-12-30T00:00:00Z', '9999-12-31T23:59:59.999Z'],
      ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
      ['2026-03-02T10:00:00.123456789Z', '2026-03-02T10:00:00.123456790Z'],
      ['2026-03-02T10:00Z', '2026-03-02T11:00Z'],
    ];
    const codes = new Set<string>();
    for (const [from, to] of spans) {
      for (const path of [free, '/api/appointments?']) {
        const answer = await cast.client.send('GET', `${path}from=${from}&to=${to}`);
        codes.add(answer.status === 200 ? 'answered' : problemIn(answer).code);
      }
    }
    expect(codes).toEqual(new Set(['answered', 'invalid']));
  });
});
