import { once } from 'node:events';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { changeSettings } from '#/features/settings/commands.ts';
import { transact } from '#/platform/db/transact.ts';
import { castOf, problemIn, testServer, type Cast } from '../support/server.ts';
import { blockedConnections } from '../support/locks.ts';

const server = await testServer();
const system = server.database.as({ kind: 'system' });
let cast: Cast;
beforeAll(async () => {
  cast = await castOf(server);
});

/** Toggles maintenance mode and waits for this process to apply it. */
async function close(maintenanceMode: boolean): Promise<void> {
  await changeSettings(system, { maintenanceMode });
  const expected = maintenanceMode ? 503 : 200;
  await expect.poll(async () => (await server.guest.send('GET', '/api/site')).status).toBe(expected);
}
beforeEach(() => close(false));

function socketOf(cookie: string): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${server.port}/realtime`, {
    headers: { cookie, origin: server.config.appUrl, host: new URL(server.config.appUrl).host },
  });
}

test('refuses everyone but administrators, and says when to retry', async () => {
  await close(true);
  for (const visitor of [server.guest, cast.client, cast.provider]) {
    for (const path of ['/api/me', '/api/site', '/files/x', '/calendar/x.ics', '/home.data', '/robots.txt']) {
      const answer = await visitor.send('GET', path);
      expect(problemIn(answer), path).toMatchObject({ code: 'unavailable', reason: 'maintenance' });
      expect(answer.headers['retry-after'], path).toBe('300');
    }
    const write = await visitor.send('POST', '/api/auth/sign-up/email', { body: {} });
    expect(problemIn(write).code).toBe('unavailable');
    const page = await visitor.send('GET', '/services');
    expect(page.headers).toMatchObject({ 'retry-after': '300', 'content-type': 'text/html' });
  }
  for (const path of ['/api/me', '/api/site', '/services', '/home'])
    expect((await cast.admin.send('GET', path)).status, path).toBe(200);
});

test('keeps health checks and administrator sign-in working', async () => {
  await close(true);
  for (const path of ['/healthz', '/readyz', '/admin/settings', '/adminsettings']) {
    const answer = await server.guest.send('GET', path);
    expect(answer.status, path).toBe(200);
    expect(answer.headers['retry-after'], path).toBeUndefined();
  }
  const wrong = { email: 'nobody@italk.example', password: '' };
  const signIn = await server.guest.send('POST', '/api/auth/sign-in/email', { body: wrong });
  expect(problemIn(signIn).code).toBe('invalid');
});

test('closes sockets of everyone but administrators and opens no new ones', async () => {
  const [client, admin] = [socketOf(cast.client.cookie), socketOf(cast.admin.cookie)];
  await Promise.all([once(client, 'open'), once(admin, 'open')]);
  const told: string[] = [];
  client.on('message', (data: Buffer) => told.push(data.toString()));
  const gone = once(client, 'close');
  await close(true);
  await gone;
  // Sends `site.changed` before closing sockets, so pages can show the notice.
  expect(told.map((text) => (JSON.parse(text) as { type: string }).type)).toContain('site.changed');
  expect(admin.readyState).toBe(WebSocket.OPEN);
  const again = socketOf(cast.client.cookie);
  const [error] = (await once(again, 'error')) as [Error];
  expect(error.message).toContain('503');
  admin.close();
  await close(false);
  const open = socketOf(cast.client.cookie);
  await once(open, 'open');
  open.close();
});

test('refuses requests right after the notice, even while settings are loading', async () => {
  const { db } = server.database;
  const client = socketOf(cast.client.cookie);
  await once(client, 'open');
  const told = once(client, 'message');
  const gone = once(client, 'close');
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let holds = Promise.resolve();
  await transact(system, async (tx) => {
    await changeSettings(tx, { maintenanceMode: true });
    // Reads of the settings after this commit wait for the lock.
    holds = db.transaction().execute(async (other) => {
      await sql`lock table site_settings in access exclusive mode`.execute(other);
      locked.resolve();
      await release.promise;
    });
    // The server, told late of an earlier change, may wait as well.
    await expect.poll(() => blockedConnections(db)).toBeGreaterThanOrEqual(1);
  });
  await locked.promise;
  await told;
  const answer = server.guest.send('GET', '/files/x');
  await expect.poll(() => blockedConnections(db)).toBeGreaterThanOrEqual(1);
  release.resolve();
  await holds;
  expect(problemIn(await answer)).toMatchObject({ code: 'unavailable', reason: 'maintenance' });
  await gone;
});

test('applies the log level immediately, logging requests without tokens', async () => {
  const lines = () => server.log.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
  const ask = async () => {
    lines();
    await server.guest.send('GET', '/calendar/a-secret-token.ics');
    await server.guest.send('GET', '/invitation/a-secret-token');
    await server.guest.send('GET', '/api/me');
    return lines().filter(({ msg }) => msg === 'a request was answered');
  };
  expect(await ask()).toEqual([]);
  await changeSettings(system, { debugMode: true });
  await expect.poll(async () => (await ask()).length).toBe(3);
  const told = await ask();
  expect(told).toMatchObject([
    { place: '/calendar', status: 404, method: 'GET' },
    { place: '/invitation', status: 200 },
    { place: '/api/me', status: 200 },
  ]);
  for (const { ms, requestId } of told) {
    expect(ms).toEqual(expect.any(Number));
    expect(requestId).toMatch(/^[\da-f-]{36}$/);
  }
  expect(JSON.stringify(told)).not.toContain('a-secret-token');
  await changeSettings(system, { logLevel: 'error' });
  await expect.poll(async () => (await ask()).length).toBe(0);
  // Direct SQL changes take effect too.
  await server.database.db.updateTable('site_settings').set({ log_level: 'debug' }).execute();
  await expect.poll(async () => (await ask()).length).toBe(3);
  await changeSettings(system, { debugMode: false, logLevel: 'info' });
});
