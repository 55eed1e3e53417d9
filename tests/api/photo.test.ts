import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { bomb } from '../support/bytes.ts';
import { addClient } from '../support/people.ts';
import { castOf, problemIn, storedIn, testServer, type Cast, type Visitor } from '../support/server.ts';

const server = await testServer();
let cast: Cast;
let picture: Buffer;

beforeAll(async () => {
  cast = await castOf(server);
  picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#639' } })
    .jpeg()
    .toBuffer();
});

const send = (visitor: Visitor, body: Uint8Array | string, query = '', headers = {}) =>
  visitor.send('POST', `/api/me/photo${query}`, {
    body,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  });

/** Number of files on the server's disk. */
async function onDisk(): Promise<number> {
  const folder = join(server.config.dataDir, 'files');
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).length;
}

describe('a photo', () => {
  test('becomes a small square shown to others and open under its path', { tags: ['long'] }, async () => {
    for (const visitor of [cast.client, cast.provider, cast.admin]) {
      const answer = await send(visitor, picture, '?left=0.1&top=0&size=0.5');
      expect(answer.status).toBe(200);
      const { photoUrl } = answer.json as { photoUrl: string };
      expect((await visitor.send('GET', '/api/me')).json).toMatchObject({ photoUrl });
      const shown = await server.guest.send('GET', photoUrl);
      expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/webp']);
      expect(shown.headers['x-content-type-options']).toBe('nosniff');
    }
    const { photoUrl } = (await cast.provider.send('GET', '/api/me')).json as { photoUrl: string };
    const listed = (await server.guest.send('GET', `/api/specialists/${cast.providerId}`)).json;
    expect(listed).toMatchObject({ photoUrl });
    const session = await cast.client.send('GET', `/api/appointments/${cast.appointmentId}`);
    expect(session.json).toMatchObject({ provider: { photoUrl } });
    const { photoUrl: ofClient } = (await cast.client.send('GET', '/api/me')).json as { photoUrl: string };
    const served = await cast.provider.send('GET', `/api/appointments/${cast.appointmentId}`);
    expect(served.json).toMatchObject({ client: { photoUrl: ofClient } });
  });

  test.each<[what: string, body: () => Uint8Array | string, reason: string]>([
    ['of 6 MB', () => Buffer.concat([picture, Buffer.alloc(6 * 1024 * 1024)]), 'file_too_large'],
    [
      'that is an SVG',
      () => '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'file_type',
    ],
    ['that is HTML', () => '<!doctype html><script>alert(1)</script>', 'file_type'],
    ['that is a GIF', () => 'GIF89a\u0001\u0000\u0001\u0000', 'file_type'],
    ['that is an image bomb', bomb, 'image_too_many_pixels'],
    ['that breaks off', () => picture.subarray(0, 500), 'image_unreadable'],
    ['of no bytes', () => new Uint8Array(), 'file_empty'],
  ])('%s is rejected by field, storing nothing and keeping the old photo', async (_, body, reason) => {
    const before = [await storedIn(server.database), await onDisk()];
    const headers = { 'content-type': 'image/png' };
    const answer = await send(cast.client, body(), '', headers);
    expect(problemIn(answer)).toMatchObject({ code: 'invalid', fields: [{ field: 'file', reason }] });
    expect([await storedIn(server.database), await onDisk()]).toEqual(before);
  });

  test.each(['?left=1', '?left=2&top=0&size=1', '?left=a&top=b&size=c', '?left=0&top=-0.1&size=1', '?x=1'])(
    'with an invalid square (%s) is rejected',
    async (query) => {
      const before = [await storedIn(server.database), await onDisk()];
      const { code, fields } = problemIn(await send(cast.client, picture, query));
      expect(code).toBe('invalid');
      for (const { field } of fields) expect(['left', 'top', 'size']).toContain(field);
      expect([await storedIn(server.database), await onDisk()]).toEqual(before);
    },
  );

  test('is refused from guests and other sites', async () => {
    const before = [await storedIn(server.database), await onDisk()];
    expect(problemIn(await send(server.guest, picture)).code).toBe('unauthenticated');
    const foreign = await cast.client.send('POST', '/api/me/photo', {
      body: picture,
      headers: { 'content-type': 'image/jpeg' },
      origin: 'https://elsewhere.example',
    });
    expect(foreign.status).toBe(403);
    expect([await storedIn(server.database), await onDisk()]).toEqual(before);
  });
});

test('hides other people’s devices and ends sessions immediately', async () => {
  const person = await addClient(server.database.db);
  const here = await server.signIn(person);
  // Signs in manually the second time: the helper resets the password, ending earlier sessions.
  const { email } = await server.database.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow();
  const body = { email, password: 'peace-be-with-you' };
  const { headers } = await server.guest.send('POST', '/api/auth/sign-in/email', { body });
  const cookie = headers['set-cookie']![0]!.split(';')[0]!;
  const asThere = () => server.guest.send('GET', '/api/me', { headers: { cookie } });
  expect((await asThere()).json).toMatchObject({ id: person.id });

  const devices = (await here.send('GET', '/api/me/devices')).json as { id: string; current: boolean }[];
  expect(devices).toHaveLength(2);
  const other = devices.find(({ current }) => !current)!;
  for (const by of [here, cast.client])
    await by.send('POST', '/api/me/reauthentication', { body: { password: 'peace-be-with-you' } });
  const foreign = await cast.client.send('POST', `/api/me/devices/${other.id}/sign-out`, { body: {} });
  expect(problemIn(foreign).code).toBe('not_found');
  expect((await asThere()).json).toMatchObject({ id: person.id });
  const answer = await here.send('POST', `/api/me/devices/${other.id}/sign-out`, { body: {} });
  expect(answer.json).toMatchObject([{ current: true }]);
  expect((await asThere()).json).toBeNull();
});
