import { beforeAll, expect, test } from 'vitest';
import { numberIn, rowsUnder, written } from '../support/documents.ts';
import { castOf, problemIn, testServer, type Answer, type Cast, type Sent } from '../support/server.ts';

const server = await testServer({ rateLimitFactor: 1 });
let cast: Cast;
beforeAll(async () => {
  cast = await castOf(server);
  // Setup requests count toward the limits too.
  await server.database.db.deleteFrom('rate_limits').execute();
});

/** Sends requests in batches of ten. */
async function many(count: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const batch = Math.min(10, count - answers.length);
    answers.push(...(await Promise.all(Array.from({ length: batch }, (_, at) => send(answers.length + at)))));
  }
  return answers;
}

/** Forged proxy headers, different for each request. */
const forged = (index: number): Sent['headers'] => ({
  'x-forwarded-for': `10.0.${index}.1, 192.168.${index}.7`,
  'x-real-ip': `10.1.${index}.1`,
  forwarded: `for=10.2.${index}.1`,
});

test('allows 120 changes a minute per person from any address', async () => {
  const change = (index: number) =>
    cast.client.send('POST', '/api/me/preferences', { body: {}, headers: forged(index) });
  const answers = await many(121, change);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
  const problem = problemIn(answers.find(({ status }) => status !== 200)!);
  expect([problem.code, problem.reason, problem.fields]).toEqual(['rate_limited', 'too_many_changes', []]);
  // Rate limiting runs before all other checks.
  for (const path of ['/api/bookings', '/api/nowhere', '/api/auth/sign-in/email', '/']) {
    expect(problemIn(await cast.client.send('POST', path, { body: '{' })).code, path).toBe('rate_limited');
  }
});

test('still allows reading and signing out after the limit, without affecting others', async () => {
  expect((await cast.client.send('GET', '/api/me')).json).toMatchObject({ role: 'client' });
  expect((await cast.otherClient.send('POST', '/api/me/preferences', { body: {} })).status).toBe(200);
  for (const who of [server.guest, cast.client])
    expect((await who.send('POST', '/api/auth/sign-out', { body: {} })).status).toBe(200);
  expect((await cast.client.send('GET', '/api/me')).json).toBeNull();
});

test('allows ten password guesses in 15 minutes across all addresses', async () => {
  const { db } = server.database;
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', cast.providerId)
    .executeTakeFirstOrThrow();
  const guess = (index: number) =>
    server.guest.send('POST', '/api/auth/sign-in/email', {
      body: { email, password: `guess-${index}` },
      headers: forged(index),
    });
  const answers = await many(12, guess);
  expect(answers.map((answer) => problemIn(answer).code).toSorted()).toEqual([
    'rate_limited',
    'rate_limited',
    ...Array.from({ length: 10 }, () => 'unauthenticated'),
  ]);
});

test('counts guests by real address, despite forged proxy headers', async () => {
  await server.database.db.deleteFrom('rate_limits').execute();
  const answers = await many(125, (index) =>
    server.guest.send('POST', '/api/auth/sign-out', { body: {}, headers: forged(index) }),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map((answer) => problemIn(answer).reason)).toEqual(
    Array.from({ length: 5 }, () => 'too_many_changes'),
  );
  expect((await cast.otherProvider.send('POST', '/api/me/preferences', { body: {} })).status).toBe(200);
});

test('stores counters without identities', async () => {
  const { db } = server.database;
  const people = await db.selectFrom('users').select('email').execute();
  const keys = (await db.selectFrom('rate_limits').select('key').execute()).map(({ key }) => key).join('\n');
  for (const { email } of people) expect(keys).not.toContain(email);
});

test('always answers a person’s refusals, and logs sixty an hour', async () => {
  const refused = () =>
    server.database.db
      .selectFrom('audit_entries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('action', '=', 'refused.analytics.overview')
      .where('success', '=', false)
      .executeTakeFirstOrThrow();
  const answers = await many(65, () => cast.otherClient.send('GET', '/api/analytics/overview'));
  expect(answers.every(({ status }) => status === 403)).toBe(true);
  expect((await refused()).count).toBe(60);
});

test('has the documented limits', () => {
  const rows = rowsUnder('docs/safeguards.md', 'Limits and heavy work');
  const requests = 'src/app/requests.ts';
  const sockets = 'src/platform/realtime/sockets.ts';
  const limits: [work: string, path: string, name: string][] = [
    ['any change', requests, 'writesPerMinute'],
    ['any change', requests, 'maxBody'],
    ['pages', requests, 'pagesAtOnce'],
    ['other requests than uploads', 'src/platform/turns.ts', 'answersAtOnce'],
    ['lists', 'src/features/accounts/users/rules.ts', 'maxListed'],
    ['WebSockets', sockets, 'maxSockets'],
    ['WebSockets', sockets, 'aSecond'],
    ['WebSockets', 'src/app/program-sockets.ts', 'maxChannels'],
    ["a client's sessions", 'src/features/appointments/booking/commands.ts', 'maxAhead'],
    [
      'letters to a client without an account',
      'src/features/notifications/letters/session-delivery.ts',
      'perDay',
    ],
    ['goals and journal entries', 'src/features/growth/progress/policies.ts', 'addedPerDay'],
    ['passwords (Argon2id)', 'src/features/accounts/tries/commands.ts', 'triesAtOnce'],
  ];
  for (const [work, path, name] of limits)
    expect(rows.find(([of]) => of === work)?.[1], `${name} in ${path}`).toMatch(
      written(numberIn(path, name)),
    );
});
