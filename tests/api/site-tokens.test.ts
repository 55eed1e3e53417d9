import { beforeAll, describe, expect, test } from 'vitest';
import { downloads, uploads } from '#/app/api.ts';
import { demoPassword } from '#/features/accounts/demo.ts';
import { identityInputs } from '#/features/accounts/identity/contract.ts';
import { siteScopes, type Scope, type SiteScope } from '#/kernel/actor.ts';
import { newId } from '#/platform/clock.ts';
import { pdf } from '../support/bytes.ts';
import { addAdministrator } from '../support/people.ts';
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
const { send, administrationBy } = programsOf(server);
let cast: Cast;
let accepted: ReturnType<typeof acceptedInputs>;
let token: string;

async function siteToken(by: Visitor, scopes: readonly SiteScope[]): Promise<{ id: string; token: string }> {
  const body = { name: 'Monitoring', scopes, days: 30 };
  await by.send('POST', '/api/me/reauthentication', { body: { password: demoPassword } });
  const answer = await by.send('POST', '/api/admin/api-tokens', { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { id: string; token: string };
}

beforeAll(async () => {
  cast = await castOf(server);
  accepted = acceptedInputs(cast);
  ({ token } = await siteToken(cast.admin, siteScopes));
});

const isOpen = ({ scope }: { scope: Scope | null }, to: readonly Scope[] = siteScopes) =>
  scope !== null && to.includes(scope);
const closed = procedures.filter((one) => !isOpen(one));
const open = procedures.filter((one) => isOpen(one));
const ask = (procedure: Procedure, by: string) => {
  const [method, path, sent] = requestOf(procedure, accepted[procedure.name]!);
  return send(method, path, { ...sent, token: by });
};

test('opens these procedures and no others, none of which changes anything', () => {
  expect(open.map(({ name, scope }) => `${scope} ${name}`).toSorted()).toEqual([
    'audit:read audit.figures',
    'audit:read audit.list',
    'bookings:read appointments.administration.find',
    'health:read analytics.health',
    'reports:read analytics.overview',
    'reports:read analytics.report',
    'users:read directory.figures',
    'users:read directory.list',
    'users:read directory.open',
  ]);
});

describe('a token of the site', () => {
  test('is refused by every other procedure, and stores nothing but refusals', async () => {
    const before = await storedIn(server.database);
    for (const procedure of closed)
      expect(problemIn(await ask(procedure, token)), procedure.name).toMatchObject({
        code: 'forbidden',
        reason: 'scope_missing',
      });
    const after = await storedIn(server.database);
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    const noted = ['api_tokens', 'audit_entries', 'audit_personal', 'audit_unsealed', 'rate_limits'];
    expect(changed.filter((table) => !noted.includes(table))).toEqual([]);
  });

  test('opens only what its scopes name', async () => {
    for (const scope of siteScopes) {
      const { id, token: narrow } = await siteToken(cast.admin, [scope]);
      for (const procedure of open) {
        const { status, text } = await ask(procedure, narrow);
        const expected = isOpen(procedure, [scope]) ? [200, 404] : [403];
        expect(expected, `${scope} ${procedure.name}: ${text.slice(0, 200)}`).toContain(status);
      }
      await cast.admin.send('POST', `/api/admin/api-tokens/${id}/revoke`, { body: {} });
    }
  });

  test('reads what administrators read, and no text that people wrote to each other', async () => {
    const reason = 'I am ill.';
    const path = `/api/appointments/${cast.appointmentId}`;
    expect((await cast.client.send('POST', `${path}/cancel`, { body: { reason } })).status).toBe(200);
    const body = { appointmentId: cast.appointmentId, order: 'latest' };
    const found = await send('POST', '/api/admin/appointments/search', { token, body });
    expect(found.json).toMatchObject({ appointments: [{ id: cast.appointmentId, status: 'cancelled' }] });
    for (const procedure of open) expect((await ask(procedure, token)).text).not.toContain(reason);
    const person = await send('POST', `/api/admin/users/${cast.clientId}/open`, { token, body: {} });
    expect(person.json).toMatchObject({ id: cast.clientId, devices: [], apiTokens: [] });
  });

  test('opens nothing of other programs, not even administration', async () => {
    const { error } = await administrationBy(token).listUsers();
    expect(error).toMatchObject({ status: 403, code: 'bad_jwt' });
    for (const [method, path] of [
      ['GET', '/auth/v1/user'],
      ['PUT', '/auth/v1/user'],
      ['POST', '/auth/v1/logout'],
      ['POST', '/auth/v1/factors'],
      ['GET', '/auth/v1/admin/users'],
      ['POST', '/auth/v1/admin/users'],
      ['GET', '/storage/v1/bucket'],
      ['POST', '/storage/v1/object/list/documents'],
      ['POST', '/realtime/v1/api/broadcast'],
    ] as const) {
      const url = `http://127.0.0.1:${server.port}${path}`;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = method === 'GET' ? null : '{}';
      const answer = await fetch(url, { method, headers, body });
      expect([401, 403], `${path}: ${await answer.text()}`).toContain(answer.status);
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
    for (const path of Object.keys(identityInputs))
      expect(problemIn(await send('POST', `/api/auth${path}`, { token, body: {} })).reason).toBe(
        'foreign_origin',
      );
  });

  test('ignores cookies sent with it', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await cast.admin.send('GET', '/api/admin/api-tokens', { origin: null, headers });
    expect(problemIn(answer).reason).toBe('scope_missing');
  });

  test('is in no log, and only in the first answer', async () => {
    expect(server.log.join('\n')).not.toContain(token);
    expect((await cast.admin.send('GET', '/api/admin/api-tokens')).text).not.toContain(token);
  });

  test('appears in the audit log by its name', async () => {
    const { id, token: logged } = await siteToken(cast.admin, ['users:read']);
    expect((await send('GET', '/api/me', { token: logged })).status).toBe(403);
    expect((await send('POST', '/api/admin/users/list', { token: logged, body: {} })).status).toBe(200);
    const shown = await cast.admin.send('GET', '/api/analytics/activity');
    expect(shown.text).toContain('"kind":"site_token","name":"Monitoring"');
    const entries = async () => {
      const { json } = await cast.admin.send('POST', '/api/admin/audit-log/search', {
        body: { about: [id] },
      });
      return (json as { entries: object[] }).entries;
    };
    const actor = { kind: 'site_token', id, name: 'Monitoring', email: null };
    const made = { action: 'site_token_created', subject: { kind: 'site_token', id, name: 'Monitoring' } };
    expect(await entries()).toMatchObject([
      { actor, action: 'users_listed' },
      { actor, action: 'refused.accounts.me', details: { reason: 'scope_missing' } },
      made,
    ]);

    await cast.admin.send('POST', `/api/admin/api-tokens/${id}/revoke`, { body: {} });
    expect(await entries()).toMatchObject([
      { action: 'site_token_revoked' },
      { actor: { ...actor, name: null } },
      { actor: { ...actor, name: null } },
      { ...made, subject: { ...made.subject, name: null } },
    ]);
    for (const path of ['/api/me', '/api/admin/users/figures', '/api/settings'])
      expect(problemIn(await send('GET', path, { token: logged })).reason).toBe('bad_token');
  });
});

test('limits a site token’s requests on its own', { tags: ['long'] }, async () => {
  const strict: TestServer = await testServer({ rateLimitFactor: 1, config: { mode: 'production' } });
  const by = await strict.signIn(await addAdministrator(strict.database.db));
  const [one, other] = [await siteToken(by, ['users:read']), await siteToken(by, ['users:read'])];
  await strict.database.db.deleteFrom('rate_limits').execute();
  const list = (of: { token: string }) =>
    programsOf(strict).send('POST', '/api/admin/users/list', { token: of.token, body: { limit: 0 } });
  const statuses = [];
  for (let requests = 0; requests < 121; requests++) statuses.push((await list(one)).status);
  expect(statuses).toEqual([...Array<number>(120).fill(400), 429]);
  expect((await list(other)).status).toBe(400);
  const own = await by.send('POST', '/api/admin/users/list', { body: { limit: 0 } });
  expect(own.status).toBe(400);
});
