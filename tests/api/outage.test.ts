import { sql } from 'kysely';
import { afterAll, afterEach, expect, test } from 'vitest';
import { connect } from '#/platform/db/database.ts';
import { linkTo, type Link } from '../support/link.ts';
import { addClient } from '../support/people.ts';
import { problemIn, testServer, type Answer } from '../support/server.ts';

let link!: Link;
const server = await testServer({
  through: async (url) => {
    link = await linkTo(url);
    const { db } = connect(link.url, 2, { answerWithinMs: 1_000 });
    afterAll(async () => {
      await db.destroy();
      link.close();
    });
    return { url: link.url, db };
  },
});
const { db } = server.database;
const client = await server.signIn(await addClient(db));

afterEach(() => link.mend());

function expectOutage(answer: Answer): void {
  expect(problemIn(answer)).toMatchObject({ status: 503, code: 'unavailable', reason: 'database' });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

/** In milliseconds. Proxies usually time out after 30 seconds; we answer within about 5. */
const shorterThanProxies = 25_000;

const asked = [
  ['a read', () => client.send('GET', '/api/me/progress')],
  ['a change', () => client.send('POST', '/api/me/profile', { body: { fullName: 'Ruth' } })],
  ['a guest’s read', () => server.guest.send('GET', '/api/services')],
  [
    'a sign-in',
    () =>
      server.guest.send('POST', '/api/auth/sign-in/email', {
        body: { email: 'ruth@people.example', password: 'peace-be-with-you' },
      }),
  ],
  ['a file', () => client.send('GET', '/files/01890000-0000-7000-8000-000000000000/photo')],
] as const;

test.each(asked)('answers 503 with a retry time for %s while the database is down', async (_, ask) => {
  link.cut();
  expectOutage(await ask());
  link.mend();
  await expect.poll(async () => (await ask()).status).not.toBe(503);
});

test.each([asked[0], asked[3]])(
  'keeps %s waiting only seconds on a hanging database',
  { tags: ['long'] },
  async (_, ask) => {
    link.freeze();
    const began = performance.now();
    expectOutage(await ask());
    expect(performance.now() - began).toBeLessThan(shorterThanProxies);
  },
);

test(
  'reports readiness promptly when the database fails, hangs or recovers',
  { tags: ['long'] },
  async () => {
    const ready = async () => {
      const began = performance.now();
      const { status, json } = await server.guest.send('GET', '/readyz');
      expect(performance.now() - began).toBeLessThan(shorterThanProxies);
      return { status, json };
    };
    const down = { status: 503, json: { database: false, migrations: false, files: true, accepting: true } };
    link.cut();
    expect(await ready()).toEqual(down);
    link.mend();
    await expect.poll(async () => (await ready()).status).toBe(200);
    link.freeze();
    expect(await ready()).toEqual(down);
    link.mend();
    await expect.poll(async () => (await ready()).status).toBe(200);
    expect((await server.guest.send('GET', '/healthz')).status).toBe(200);
  },
);

test.each(['53100', '53300', '57P03', '08006', '57014', '55P03'])(
  'treats SQLSTATE %s as an outage, logged by code and not as an error',
  async (code) => {
    await sql`alter table goals rename to goals_elsewhere`.execute(db);
    await sql`
      create function fails() returns setof goals_elsewhere language plpgsql as
      ${sql.lit(`begin raise exception 'private words' using errcode = '${code}'; end`)}`.execute(db);
    await sql`create view goals as select * from fails()`.execute(db);
    server.log.length = 0;
    try {
      expectOutage(await client.send('GET', '/api/me/progress'));
    } finally {
      await sql`drop view goals`.execute(db);
      await sql`drop function fails`.execute(db);
      await sql`alter table goals_elsewhere rename to goals`.execute(db);
    }
    expect(server.log.join('')).toContain(code);
    expect(server.log.join('')).not.toContain('private words');
    expect(await db.selectFrom('failed_answers').selectAll().execute()).toEqual([]);
  },
);

test('asks clients to retry when every connection is taken', { tags: ['long'] }, async () => {
  const pool = connect(link.url, 1);
  const taken = sql`select pg_sleep(7)`.execute(pool.db);
  await expect(sql`select 1`.execute(pool.db)).rejects.toMatchObject({
    code: 'unavailable',
    reason: 'database',
  });
  await taken;
  await pool.db.destroy();
});

test('explains the outage on pages, even after browser navigation', async () => {
  link.cut();
  for (const path of ['/home', '/home.data', '/services']) {
    const page = await client.send('GET', path);
    expect(page.status, path).toBe(503);
    expect(page.headers['retry-after']).toBeDefined();
    expect(page.text).toBe('outage');
  }
});
