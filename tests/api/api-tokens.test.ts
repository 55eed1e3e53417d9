import { beforeAll, describe, expect, test } from 'vitest';
import { downloads, uploads } from '#/app/api.ts';
import { demoPassword } from '#/features/accounts/demo.ts';
import { identityInputs } from '#/features/accounts/identity/contract.ts';
import { personalScopes, type Scope } from '#/kernel/actor.ts';
import { newId } from '#/platform/clock.ts';
import { pdf } from '../support/bytes.ts';
import { addProvider } from '../support/people.ts';
import { acceptedInputs, procedures, requestOf, type Procedure } from '../support/procedures.ts';
import { programsOf } from '../support/programs.ts';
import {
  castOf,
  problemIn,
  storedIn,
  testServer,
  type Cast,
  type TestServer,
  type Visitor,
} from '../support/server.ts';

const server = await testServer({ config: { mode: 'production' } });
const { send } = programsOf(server);
let cast: Cast;
let accepted: ReturnType<typeof acceptedInputs>;
/** Of the provider, with every scope of theirs. */
let token: string;
const providerScopes = personalScopes.filter((scope) => scope !== 'users:read');
let stored: Record<string, string>;

async function tokenOf(by: Visitor, scopesOfIt: readonly Scope[]): Promise<{ id: string; token: string }> {
  expect(
    (await by.send('POST', '/api/me/reauthentication', { body: { password: demoPassword } })).status,
  ).toBe(200);
  const body = { name: 'Front desk', scopes: scopesOfIt, days: 30 };
  const answer = await by.send('POST', '/api/me/api-tokens', { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { id: string; token: string };
}

beforeAll(async () => {
  cast = await castOf(server);
  accepted = acceptedInputs(cast);
  ({ token } = await tokenOf(cast.provider, providerScopes));
  stored = await storedIn(server.database);
});

const ask = (procedure: Procedure, by: string) => {
  const [method, path, sent] = requestOf(procedure, accepted[procedure.name]!);
  return send(method, path, { ...sent, token: by });
};

test('opens these procedures and no others', () => {
  const open = procedures.filter(({ scope }) => scope !== null).map(({ name, scope }) => `${scope} ${name}`);
  expect(open.toSorted()).toEqual([
    'appointments:read appointments.agenda',
    'appointments:read appointments.get',
    'appointments:read appointments.mine',
    'audit:read audit.figures',
    'audit:read audit.list',
    'availability:read availability.holidays',
    'availability:read availability.mine',
    'availability:write availability.block',
    'availability:write availability.changeBlock',
    'availability:write availability.removeDate',
    'availability:write availability.save',
    'availability:write availability.saveHolidays',
    'availability:write availability.setDates',
    'availability:write availability.unblock',
    'bookings:read appointments.administration.find',
    'health:read analytics.health',
    'reports:read analytics.overview',
    'reports:read analytics.report',
    'users:read directory.figures',
    'users:read directory.list',
    'users:read directory.open',
  ]);
  const reading = procedures.filter(({ scope, method }) => scope?.endsWith(':read') && method !== 'GET');
  // Their input is not for URLs.
  expect(reading.map(({ name }) => name).toSorted()).toEqual([
    'appointments.administration.find',
    'audit.list',
    'directory.list',
    'directory.open',
  ]);
});

describe('a token', () => {
  test.each(procedures.filter(({ scope }) => scope === null).map((one) => [one.name, one] as const))(
    'is refused by %s, which names no scope',
    async (_, procedure) => {
      expect(problemIn(await ask(procedure, token))).toMatchObject({
        code: 'forbidden',
        reason: 'scope_missing',
      });
    },
  );

  test('stores nothing from any of these requests, but its own last use', async () => {
    const { api_tokens: _used, ...after } = await storedIn(server.database);
    expect(stored).toMatchObject(after);
  });

  test('opens only what its scopes name', async () => {
    const open = procedures.filter(({ scope }) => scope !== null);
    for (const scope of personalScopes) {
      const owner = scope === 'users:read' ? cast.admin : cast.provider;
      const { id, token: narrow } = await tokenOf(owner, [scope]);
      for (const procedure of open) {
        const { text } = await ask(procedure, narrow);
        const refused = text.includes('scope_missing') || text.includes('unauthenticated');
        expect(refused, `${scope} ${procedure.name}`).toBe(procedure.scope !== scope);
      }
      await owner.send('POST', `/api/me/api-tokens/${id}/revoke`, { body: {} });
    }
  });

  test('reads its owner’s appointments only, and changes their hours in their name', async () => {
    const own = await send('GET', `/api/appointments/${cast.appointmentId}`, { token });
    expect(own.json).toMatchObject({ id: cast.appointmentId });
    const other = await server.signIn(await addProvider(server.database.db));
    const foreign = await tokenOf(other, providerScopes);
    const answer = await send('GET', `/api/appointments/${cast.appointmentId}`, { token: foreign.token });
    expect(problemIn(answer).code).toBe('not_found');
    const body = {
      startsAt: cast.freeStart,
      endsAt: Temporal.Instant.from(cast.freeStart).add({ hours: 1 }).toString(),
    };
    const blocked = await send('POST', '/api/me/availability/blocks', { token, body });
    expect(blocked.status, blocked.text).toBe(201);
    const entry = await server.database.db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id'])
      .where('request_id', '=', String(blocked.headers['x-request-id']))
      .orderBy('id')
      .execute();
    expect(entry).toEqual([{ action: 'availability.blocked', actor_id: cast.providerId }]);
  });

  test('reads no text that people wrote to each other', async () => {
    const reason = 'I am ill.';
    const path = `/api/appointments/${cast.appointmentId}`;
    expect((await cast.client.send('POST', `${path}/cancel`, { body: { reason } })).status).toBe(200);
    expect((await cast.provider.send('GET', path)).text).toContain(reason);
    const day = cast.freeStart.slice(0, 10);
    for (const read of [
      path,
      '/api/appointments?from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z',
      `/api/appointments/agenda?span=month&date=${day}`,
    ]) {
      const answer = await send('GET', read, { token });
      expect([answer.status, answer.text], read).toEqual([200, expect.not.stringContaining(reason)]);
    }
  });

  test('opens no uploads, downloads, files, pages or ways to sign in', async () => {
    const guests: number[] = [];
    for (const { path } of uploads) {
      const headers = { 'content-type': 'application/octet-stream' };
      guests.push((await send('POST', `/api${path}`, { token, body: pdf(), headers })).status);
    }
    for (const path of [
      ...downloads.map((one) => `/api${one.path}`),
      `/api/conversations/attachments/${newId()}`,
      `/api/application/documents/${newId()}`,
    ])
      guests.push((await send('GET', path, { token })).status);
    expect(guests.filter((status) => ![401, 404].includes(status))).toEqual([]);
    for (const [method, path] of [
      ['GET', '/user'],
      ['PUT', '/user'],
      ['POST', '/logout'],
      ['POST', '/factors'],
    ] as const)
      expect([401, 403], path).toContain(
        (await send(method, path, { token, body: method === 'GET' ? undefined : {} })).status,
      );
    for (const path of Object.keys(identityInputs))
      expect(problemIn(await send('POST', `/api/auth${path}`, { token, body: {} })).reason).toBe(
        'foreign_origin',
      );
  });

  test('ignores cookies sent with it, valid or not', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const admin = await cast.admin.send('GET', '/api/admin/users/figures', { origin: null, headers });
    expect(problemIn(admin).reason).toBe('scope_missing');
    const wrong = { authorization: `Bearer italk_${'A'.repeat(43)}` };
    for (const path of ['/api/me', '/api/admin/users/figures', '/api/appointments/agenda?span=week'])
      expect(problemIn(await cast.admin.send('GET', path, { origin: null, headers: wrong })).code).toBe(
        'unauthenticated',
      );
  });

  test('is for programs, not pages of other sites', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' };
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await send(method, '/api/me/availability', { token, headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('answers every wrong token alike, whatever it asks for', async () => {
    const { id, token: revoked } = await tokenOf(cast.client, ['appointments:read']);
    await cast.client.send('POST', `/api/me/api-tokens/${id}/revoke`, { body: {} });
    const answers = new Set<string>();
    for (const wrong of [
      revoked,
      token.slice(0, -1),
      `italk_${token.slice(6).toUpperCase()}`,
      'italk_',
      'italk_é',
    ])
      for (const path of ['/api/me', '/api/me/availability', '/api/no/such/thing', '/api/settings']) {
        const answer = await send('GET', path, { token: encodeURI(wrong) });
        const { requestId: _id, ...rest } = problemIn(answer);
        answers.add(JSON.stringify(rest));
      }
    expect([...answers]).toEqual([expect.stringContaining('"bad_token"')]);
  });

  test('is in no log, and only in the first answer', async () => {
    expect(server.log.join('\n')).not.toContain(token);
    expect((await cast.provider.send('GET', '/api/me/api-tokens')).text).not.toContain(token);
  });
});

test('limits a token’s writes as its owner’s, and not its network’s', { tags: ['long'] }, async () => {
  const strict: TestServer = await testServer({ rateLimitFactor: 1, config: { mode: 'production' } });
  const by = await strict.signIn(await addProvider(strict.database.db));
  const other = await strict.signIn(await addProvider(strict.database.db));
  const [mine, theirs] = [await tokenOf(by, providerScopes), await tokenOf(other, providerScopes)];
  await strict.database.db.deleteFrom('rate_limits').execute();
  const write = (one: string) =>
    programsOf(strict).send('POST', '/api/me/availability/blocks', { token: one, body: {} });
  const statuses = [];
  for (let writes = 0; writes < 121; writes++) statuses.push((await write(mine.token)).status);
  expect(statuses).toEqual([...Array<number>(120).fill(400), 429]);
  expect((await write(theirs.token)).status).toBe(400);
  const ownWrite = await by.send('POST', '/api/me/availability/blocks', { body: {} });
  expect(problemIn(ownWrite).reason).toBe('too_many_changes');
});
