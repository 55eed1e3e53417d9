import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { flagIds, type FlagId, type FlagView } from '#/features/settings/flags/contract.ts';
import { startProduct, type Product } from '../../scripts/product.ts';
import { authSecret } from '../support/database.ts';
import { deliveredFlags } from '../support/delivered-flags.ts';
import { acceptedInputs, procedures, requestOf, type Procedure } from '../support/procedures.ts';
import { booking, castOf, testServer, type Cast, type Sent, type Visitor } from '../support/server.ts';

/** An administrator changes flags on this process; everyone else uses the other one. */
const server = await testServer();
let other: Product;
let dataDir: string;
let cast: Cast;

/** Procedure name prefixes each flag disables. */
const governed: Partial<Record<FlagId, readonly string[]>> = {
  video_sessions: ['video.'],
  group_sessions: ['attendees.'],
  direct_messaging: ['messaging.', 'emergency.openings'],
  wellness_tracking: ['growth.'],
};

/** Procedures that stay available while their flag is off, with reasons. */
const staying: Readonly<Record<string, string>> = {
  'attendees.withdraw': 'what was asked of somebody can be taken back',
  'attendees.leave': 'whoever agreed can say no',
  'attendees.mine': 'there are none, and the home that asks shows none',
  'growth.devotionals.today': 'it is read like the library, and keeps nothing of anybody',
  'growth.devotionals.byDay': 'it is read like the library, and keeps nothing of anybody',
  'growth.devotionals.year': 'administrators write ahead',
  'growth.devotionals.entry': 'administrators write ahead',
  'growth.devotionals.edit': 'administrators write ahead',
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'italk-flags-'));
  other = await startProduct({
    dataDir,
    env: {
      DATABASE_URL: server.database.url,
      AUTH_SECRET: authSecret,
      RATE_LIMIT_FACTOR: '1000000',
      ...server.database.keys,
    },
  });
  cast = await castOf(server);
});

afterAll(async () => {
  await other.stop();
  await rm(dataDir, { recursive: true, force: true });
});

afterEach(async () => {
  for (const { id, enabled } of await flags())
    if (enabled !== deliveredFlags[id].enabled) await turn(id, deliveredFlags[id].enabled);
});

async function flags(): Promise<FlagView[]> {
  return (await cast.admin.send('GET', '/api/admin/flags')).json as FlagView[];
}

/** Sets a flag as an administrator; the other process isn't used before the answer arrives. */
async function turn(id: FlagId, enabled: boolean): Promise<void> {
  const { version } = (await flags()).find((flag) => flag.id === id)!;
  const body = { version, enabled };
  expect((await cast.admin.send('POST', `/api/admin/flags/${id}`, { body })).status).toBe(200);
}

/** A signed-in visitor's request to the other process. */
async function there(
  { cookie }: Visitor,
  method: string,
  path: string,
  { body }: Sent = {},
): Promise<{ status: number; reason: string | undefined; json: unknown }> {
  const bytes = body === undefined ? undefined : JSON.stringify(body);
  const headers = { cookie, origin: other.url, ...(bytes ? { 'content-type': 'application/json' } : {}) };
  return new Promise((resolve, reject) => {
    const asked = request(`${other.url}${path}`, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const json: unknown = response.headers['content-type']?.includes('json') ? JSON.parse(text) : null;
        const { reason } = (json ?? {}) as { reason?: string };
        resolve({ status: response.statusCode!, reason, json });
      });
    });
    asked.on('error', reject);
    asked.end(bytes);
  });
}

/** Returns the first allowed caller: client, provider, then administrator. */
function callerOf({ access }: Procedure): Visitor {
  if (typeof access === 'string') return cast.client;
  const ofClients = ['book_appointments', 'view_own_appointments', 'send_messages', 'view_content'];
  if (access.some((one) => ofClients.includes(one))) return cast.client;
  return access.some((one) => one.startsWith('view_own') || one.startsWith('manage_own'))
    ? cast.provider
    : cast.admin;
}

describe.each(Object.entries(governed) as [FlagId, readonly string[]][])('%s', (id, beginnings) => {
  const own = procedures.filter(({ name }) => beginnings.some((one) => name.startsWith(one)));

  test('stops every procedure in other processes when off, and restores them when on', async () => {
    const ask = async (procedure: Procedure) => {
      const input = acceptedInputs(cast)[procedure.name] ?? {};
      return there(callerOf(procedure), ...requestOf(procedure, input));
    };
    expect(own.length).toBeGreaterThan(4);
    for (const procedure of own)
      expect([procedure.name, (await ask(procedure)).reason]).not.toEqual([procedure.name, 'feature_off']);
    await turn(id, false);
    const served: string[] = [];
    for (const procedure of own) {
      const { status, reason } = await ask(procedure);
      if (reason !== 'feature_off') served.push(`${procedure.name} ${status} ${reason}`);
    }
    expect(served.filter((line) => !Object.hasOwn(staying, line.split(' ')[0]!))).toEqual([]);
    await turn(id, true);
    for (const procedure of own)
      expect([procedure.name, (await ask(procedure)).reason]).not.toEqual([procedure.name, 'feature_off']);
  });
});

test.each(flagIds)('notifies people signed in at another process of %s immediately', async (id) => {
  const received = await listening(cast.provider);
  const isOn = async () => {
    const { json } = await there(cast.provider, 'GET', '/api/site');
    return (json as { flags: FlagId[] }).flags.includes(id);
  };
  const { enabled } = deliveredFlags[id];
  for (const next of [!enabled, enabled]) {
    expect(await isOn()).toBe(!next);
    const told = received.next();
    await turn(id, next);
    await told;
    expect(await isOn()).toBe(next);
  }
  received.close();
});

/** A socket on the other process, with a promise for its next site change. */
async function listening({ cookie }: Visitor): Promise<{ next(): Promise<void>; close(): void }> {
  const socket = new WebSocket(`${other.url.replace('http', 'ws')}/realtime`, {
    headers: { cookie, origin: other.url },
  });
  await once(socket, 'open');
  return {
    next: () =>
      new Promise((resolve) => {
        const receive = (data: Buffer) => {
          if ((JSON.parse(data.toString()) as { type: string }).type !== 'site.changed') return;
          socket.off('message', receive);
          resolve();
        };
        socket.on('message', receive);
      }),
    close: () => socket.close(),
  };
}

test('hides and blocks only video bookings without Video Sessions', async () => {
  const specialist = `/api/specialists/${cast.providerId}`;
  const types = async () =>
    ((await there(cast.client, 'GET', specialist)).json as { sessionTypes: string[] }).sessionTypes;
  const wish = booking({ ...cast, startsAt: cast.freeStart });
  expect(await types()).toContain('online');
  await turn('video_sessions', false);
  expect(await types()).not.toContain('online');
  expect(await types()).toContain('phone');
  expect((await there(cast.client, 'POST', '/api/bookings', { body: wish })).reason).toBe('feature_off');
  const found = await there(cast.client, 'GET', '/api/find?sessionType=online');
  expect(JSON.stringify(found.json)).not.toContain(cast.providerId);
  const byPhone = {
    ...wish,
    sessionType: 'phone',
    contact: { name: 'Naomi Weiss', email: 'naomi@weiss.example', phone: '+1 617 555 0100' },
  };
  expect((await there(cast.client, 'POST', '/api/bookings', { body: byPhone })).status).toBe(201);
});

test('blocks documents and files of a disabled feature', async () => {
  const report = () => there(cast.client, 'GET', '/api/me/progress-report.pdf');
  const file = () =>
    there(cast.client, 'POST', '/api/conversations/attachments?conversationId=x&name=y', { body: {} });
  expect((await report()).status).toBe(200);
  expect((await file()).reason).not.toBe('feature_off');
  await turn('wellness_tracking', false);
  await turn('direct_messaging', false);
  expect((await report()).reason).toBe('feature_off');
  expect((await file()).reason).toBe('feature_off');
});

test('offers no second factor without Two-Factor Authentication', async () => {
  const state = async () => (await there(cast.provider, 'GET', '/api/me/second-factor')).json;
  const begin = async () =>
    (await there(cast.provider, 'POST', '/api/me/second-factor', { body: { password: 'not the own one' } }))
      .reason;
  expect([await state(), await begin()]).toMatchObject([{ offered: false }, 'feature_off']);
  await turn('two_factor_authentication', true);
  expect(await state()).toMatchObject({ offered: true });
  expect(await begin()).not.toBe('feature_off');
});

test('provides no installation data without Mobile App Access', async () => {
  const manifest = async () => (await there(server.guest, 'GET', '/manifest.webmanifest')).status;
  expect(await manifest()).toBe(200);
  await turn('mobile_app_access', false);
  await expect.poll(manifest, { interval: 20 }).toBe(404);
  await turn('mobile_app_access', true);
  await expect.poll(manifest, { interval: 20 }).toBe(200);
});
