import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { pdf } from '../support/bytes.ts';
import { suspendedMeanwhile } from '../support/locks.ts';
import { addClient } from '../support/people.ts';
import { programsOf } from '../support/programs.ts';
import { testServer } from '../support/server.ts';

const server = await testServer();
const { db } = server.database;

const journal = { path: '/api/journal', written: JSON.stringify({ text: 'Words sent late' }) };
const upload = { path: '/api/files?name=late.pdf', written: Buffer.from(pdf()).toString('latin1') };

/** Starts a request and holds back most of its body; the returned function sends it. */
async function begin(
  sender: { cookie: string } | { token: string },
  { path, written, method = 'POST' }: { path: string; written: string; method?: string } = journal,
): Promise<() => Promise<number>> {
  const headers = {
    ...('token' in sender
      ? { authorization: `Bearer ${sender.token}` }
      : { cookie: sender.cookie, origin: server.config.appUrl }),
    'content-type': 'application/json',
    'content-length': String(written.length),
  };
  const sent: ClientRequest = request({
    host: '127.0.0.1',
    port: server.port,
    method,
    path,
    headers,
  });
  sent.write(written.slice(0, 1), 'latin1');
  await once(sent, 'socket');
  // The server handles requests in order of arrival, so it has seen these headers once it answers another.
  await server.guest.send('GET', '/healthz');
  return async () => {
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end(written.slice(1), 'latin1');
    const [answer] = await answered;
    answer.resume();
    return answer.statusCode!;
  };
}

test('refuses a request whose body arrives after its sender signed out or was suspended', async () => {
  const person = await addClient(db);
  const visitor = await server.signIn(person);
  expect(await (await begin(visitor))()).toBe(201);
  const finish = await begin(visitor);
  expect((await visitor.send('POST', '/api/auth/sign-out', { body: {} })).status).toBe(200);
  expect(await finish()).toBe(401);
  const again = await server.signIn(person);
  const finishAgain = await begin(again);
  await db.updateTable('profiles').set({ suspended_at: new Date() }).where('id', '=', person.id).execute();
  expect(await finishAgain()).toBe(401);
});

test('refuses a program’s change whose body arrives after its sender signed out', async () => {
  const { somebody, signIn, send } = programsOf(server);
  const { email } = await somebody();
  const change = { method: 'PUT', path: '/auth/v1/user', written: '{"data":{"full_name":"Naomi Weiss"}}' };
  const { access_token: token } = await signIn(email);
  expect(await (await begin({ token }, change))()).toBe(200);
  const finish = await begin({ token }, change);
  expect((await send('POST', '/logout?scope=local', { token })).status).toBe(204);
  expect(await finish()).toBe(403);
});

test('refuses an upload that ends after its sender signed out or was suspended, and stores nothing', async () => {
  const person = await addClient(db);
  const visitor = await server.signIn(person);
  expect(await (await begin(visitor, upload))()).toBe(200);
  const finish = await begin(visitor, upload);
  expect((await visitor.send('POST', '/api/auth/sign-out', { body: {} })).status).toBe(200);
  expect(await finish()).toBe(401);
  const finishAgain = await begin(await server.signIn(person), upload);
  await db.updateTable('profiles').set({ suspended_at: new Date() }).where('id', '=', person.id).execute();
  expect(await finishAgain()).toBe(401);
  expect(
    await db.selectFrom('files').select('name').where('owner_id', '=', person.id).execute(),
  ).toHaveLength(1);
});

test('refuses a change that waited while its sender was suspended', async () => {
  const person = await addClient(db);
  const visitor = await server.signIn(person);
  const rename = (fullName: string) =>
    visitor.send('POST', '/api/me/profile', { body: { fullName } }).then(({ status }) => status);
  expect(await rename('Naomi Weiss')).toBe(200);
  const { database } = server;
  expect(await suspendedMeanwhile(database.as(person), () => rename('Somebody Else'))).toBe(401);
  expect(await db.selectFrom('profiles').select('full_name').where('id', '=', person.id).execute()).toEqual([
    { full_name: 'Naomi Weiss' },
  ]);
});

test('doesn’t count a body that breaks off as a failure', async () => {
  const visitor = await server.signIn(await addClient(db));
  const sent = request({
    host: '127.0.0.1',
    port: server.port,
    method: 'POST',
    path: '/api/journal',
    headers: {
      cookie: visitor.cookie,
      origin: server.config.appUrl,
      'content-type': 'application/json',
      'content-length': '100',
    },
  });
  sent.on('error', () => undefined);
  sent.write('{');
  await server.guest.send('GET', '/healthz');
  sent.destroy();
  await server.guest.send('GET', '/healthz');
  expect(server.log.filter((line) => line.includes('a request failed'))).toEqual([]);
  expect(await db.selectFrom('failed_answers').selectAll().execute()).toEqual([]);
});
