import { beforeAll, beforeEach, expect, test } from 'vitest';
import { demoPassword } from '#/features/accounts/demo.ts';
import { castOf, problemIn, testServer, type Cast } from '../support/server.ts';

const server = await testServer();
const { db } = server.database;
let cast: Cast;

beforeAll(async () => {
  cast = await castOf(server);
});
beforeEach(async () => {
  await db.deleteFrom('rate_limits').execute();
});

async function make(who = cast.provider): Promise<string> {
  await who.send('POST', '/api/me/reauthentication', { body: { password: demoPassword } });
  const { status, json } = await who.send('POST', '/api/calendar-feed', { body: {} });
  expect(status).toBe(200);
  return (json as { path: string }).path;
}

test('serves calendar apps without cookie or origin, with conditional requests', async () => {
  const path = await make();
  const first = await server.guest.send('GET', path, { origin: null });
  expect(first.status).toBe(200);
  expect(first.text).toContain(`UID:${cast.appointmentId}`);
  expect(first.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  const again = await server.guest.send('GET', path, {
    headers: { 'if-none-match': first.headers.etag as string },
  });
  expect([again.status, again.text]).toEqual([304, '']);
  const head = await server.guest.send('HEAD', path);
  expect([head.status, head.text, head.headers.etag]).toEqual([200, '', first.headers.etag]);
});

test('rejects wrong, malformed and revoked URLs identically', async () => {
  const path = await make();
  await cast.provider.send('POST', '/api/calendar-feed/revoke', { body: {} });
  const answers = [];
  for (const one of [
    path,
    `/calendar/${'A'.repeat(43)}.ics`,
    '/calendar/x.ics',
    '/calendar/%00.ics',
    `/calendar/${'x'.repeat(5_000)}.ics`,
  ]) {
    const { status, headers, text } = await server.guest.send('GET', one);
    const { 'x-request-id': requestId, date: _date, ...rest } = headers;
    answers.push({ status, rest, text: text.replace(requestId as string, '') });
  }
  expect(answers[0]).toMatchObject({ status: 404, rest: { 'cache-control': 'no-store' } });
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
});

test('hides another provider’s feed from signed-in people and logs the attempt', async () => {
  const path = await make();
  const answer = await cast.otherProvider.send('GET', path);
  expect(problemIn(answer)).toMatchObject({ code: 'not_found', reason: 'calendar_feed' });
  const entries = await db
    .selectFrom('audit_entries')
    .select(['action', 'success', 'details'])
    .where('action', '=', 'refused.feed.read')
    .orderBy('id')
    .execute();
  expect(entries).toEqual([
    { action: 'refused.feed.read', success: false, details: { reason: 'calendar_feed' } },
  ]);
});

test('keeps the token out of logs, audit entries and metrics', async () => {
  const path = await make();
  const token = /\/([\w-]+)\.ics/.exec(path)![1]!;
  await server.guest.send('GET', path);
  await cast.otherProvider.send('GET', path);
  await server.guest.send('POST', path, { body: {} });
  // Logged errors don't reveal the feed URL either.
  await db.schema.alterTable('calendar_feeds').renameTo('calendar_feeds_gone').execute();
  expect((await server.guest.send('GET', path)).status).toBe(500);
  await db.schema.alterTable('calendar_feeds_gone').renameTo('calendar_feeds').execute();
  expect(server.log.join('')).toContain('a request failed');
  const stored = await Promise.all([
    db.selectFrom('audit_entries').selectAll().orderBy('id').execute(),
    db.selectFrom('rate_limits').selectAll().execute(),
    db.selectFrom('calendar_feeds').selectAll().execute(),
  ]);
  expect(server.log.join('') + JSON.stringify(stored)).not.toContain(token);
});
