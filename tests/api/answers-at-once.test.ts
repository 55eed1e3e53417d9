import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '#/platform/db/database.ts';
import { blockedConnections } from '../support/locks.ts';
import { addClient } from '../support/people.ts';
import { testServer } from '../support/server.ts';

const server = await testServer({
  config: { trustedProxies: 1 },
  through(url) {
    // More connections than one sender may use.
    const { db } = connect(url, 12);
    afterAll(() => db.destroy());
    return Promise.resolve({ url, db });
  },
});
const { db } = server.database;

const [crowd, other] = ['203.0.113.5', '198.51.100.7'];
const get = (path: string, network: string) =>
  fetch(`http://localhost:${server.port}${path}`, { headers: { 'x-forwarded-for': network } });

test('answers eight requests at once for one network, so that others don’t wait for its', async () => {
  const answers = await db.transaction().execute(async (tx) => {
    await sql`lock table services in access exclusive mode`.execute(tx);
    const asked = Array.from({ length: 40 }, () => get('/api/services', crowd));
    await expect.poll(() => blockedConnections(db)).toBe(8);
    expect((await get('/api/resources?limit=1', other)).status).toBe(200);
    expect(await blockedConnections(db)).toBe(8);
    return asked;
  });
  for (const answer of answers) expect((await answer).status).toBe(200);
});

test.each([
  ['of other sites', 'POST', { origin: 'https://evil.example' }, 403],
  ['with wrong API tokens', 'GET', { authorization: `Bearer italk_${'x'.repeat(43)}` }, 401],
] as const)('counts requests %s eight at once for one network', async (_, method, headers, status) => {
  const send = () =>
    fetch(`http://localhost:${server.port}/api/me`, {
      method,
      headers: { ...headers, 'x-forwarded-for': crowd },
    });
  const answers = await db.transaction().execute(async (tx) => {
    await sql`lock table rate_limits in access exclusive mode`.execute(tx);
    const sent = Array.from({ length: 40 }, send);
    await expect.poll(() => blockedConnections(db)).toBe(8);
    expect((await get('/api/services', other)).status).toBe(200);
    expect(await blockedConnections(db)).toBe(8);
    return sent;
  });
  for (const answer of answers) expect((await answer).status).toBe(status);
});

test('identifies a sender again whose request waited', async () => {
  const person = await addClient(db);
  const visitor = await server.signIn(person);
  const held = await db.transaction().execute(async (tx) => {
    await sql`lock table services in access exclusive mode`.execute(tx);
    const first = Array.from({ length: 8 }, () => visitor.send('GET', '/api/services'));
    await expect.poll(() => blockedConnections(db)).toBe(8);
    const own = db.selectFrom('sessions').select('updated_at').where('user_id', '=', person.id);
    // Identifying a sender updates their session.
    await db
      .updateTable('sessions')
      .set({ updated_at: new Date(Date.now() - 120_000) })
      .where('user_id', '=', person.id)
      .execute();
    const { updated_at: before } = await own.executeTakeFirstOrThrow();
    const waiting = visitor.send('GET', '/api/me');
    await expect.poll(async () => (await own.executeTakeFirst())?.updated_at).not.toEqual(before);
    await db.deleteFrom('sessions').where('user_id', '=', person.id).execute();
    return [waiting, ...first];
  });
  const [own, ...others] = await Promise.all(held);
  expect(own!.json).toBeNull();
  expect(others.map(({ status }) => status)).toEqual(Array(8).fill(200));
});
