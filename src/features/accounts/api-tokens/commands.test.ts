import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '#/kernel/actor.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import {
  addAdministrator,
  addClient,
  addProvider,
  freshSession,
  type Person,
} from '../../../../tests/support/people.ts';
import { hashOf } from '../../../../tests/support/passwords.ts';
import { changeRole, revokeUserToken, suspendUser } from '../account-status/commands.ts';
import { changeAddress } from '../address-change/commands.ts';
import { deleteExpired, requireFresh, setPassword } from '../commands.ts';
import { resetSecondFactor } from '../second-factor/commands.ts';
import { endOtherSessions } from '../session/commands.ts';
import { countAttempts } from '../tries/commands.ts';
import { allowances } from '../tries/rules.ts';
import type { AccountEffects } from '../users/commands.ts';
import { openUser } from '../users/commands.ts';
import { actorOfApiToken, createApiToken, ownApiTokens, revokeApiToken } from './commands.ts';
import { maxApiTokens } from './rules.ts';

const { db, as, setNow, runJobs, readMails } = await testDatabase({ poolSize: 10 });

const server = { tries: countAttempts({ secret: 'x', rateLimitFactor: 1 }), adminEmails: [] };
const effects: AccountEffects = {
  adminEmails: [],
  hasListing: async () => true,
  comingSessions: async () => 0,
  lockSessions: async () => undefined,
  settleSessions: async () => undefined,
  followListing: async () => undefined,
  tellAddresses: async () => undefined,
  tellOfAccount: async () => undefined,
};

let client: Person;
let provider: Person;
let admin: Person;

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db.deleteFrom('rate_limits').execute();
  await db
    .updateTable('feature_flags')
    .set({ enabled: true })
    .where('id', '=', 'mobile_app_access')
    .execute();
  client = await freshSession(db, await addClient(db));
  provider = await freshSession(db, await addProvider(db));
  admin = await addAdministrator(db);
});

const every: Scope[] = ['appointments:read', 'availability:read', 'availability:write'];
const create = (by: Person, scopes: readonly Scope[] = ['appointments:read'], days = 90) =>
  createApiToken(as(by), { name: 'Front desk', scopes, days });
const use = (token: string, address = '203.0.113.7') =>
  actorOfApiToken({ ...as({ kind: 'guest' }), address }, server, token);
const refused = { code: 'unauthenticated', reason: 'bad_token' };
const entriesOf = (action: string, subject: string) =>
  db
    .selectFrom('audit_entries')
    .select(['actor_id', 'details'])
    .where('action', '=', action)
    .where('subject_id', '=', subject)
    .orderBy('id')
    .execute();

describe('creating a token', () => {
  test('shows it once, keeps a hash, logs it and emails its owner', async () => {
    const { token, ...view } = await create(
      provider,
      ['availability:write', 'availability:read', 'availability:read'],
      30,
    );
    expect(token).toMatch(/^italk_[\w-]{43}$/);
    expect(view).toEqual({
      id: view.id,
      name: 'Front desk',
      scopes: ['availability:read', 'availability:write'],
      createdAt: '2026-03-02T12:00:00.000Z',
      expiresAt: '2026-04-01T12:00:00.000Z',
      usedAt: null,
    });
    expect(await ownApiTokens(as(provider))).toEqual([view]);
    const stored = await db.selectFrom('api_tokens').selectAll().where('id', '=', view.id).executeTakeFirst();
    expect(stored!.token).toBe(digest(token));
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(await entriesOf('api_token_created', provider.id)).toEqual([
      { actor_id: provider.id, details: { scopes: 'availability:read availability:write', days: 30 } },
    ]);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', `${provider.id}@people.example`));
    const text = mails.map(({ text_body }) => text_body).join();
    expect(text).toContain('An API token was created for your account.');
    expect(text).not.toContain('italk_');
  });

  test('replaces the token when it’s repeated with its id, as after a lost answer', async () => {
    const id = newId();
    const again = () =>
      createApiToken(as(client), { id, name: 'Front desk', scopes: ['appointments:read'], days: 90 });
    const made = await Promise.all(Array.from({ length: 10 }, again));
    const { token } = await again();
    expect((await ownApiTokens(as(client))).map((one) => one.id)).toEqual([id]);
    for (const lost of made) await expect(use(lost.token)).rejects.toMatchObject(refused);
    expect(await use(token)).toMatchObject({ id: client.id });
    const theirs = createApiToken(as(provider), {
      id,
      name: 'Theirs',
      scopes: ['appointments:read'],
      days: 90,
    });
    await expect(theirs).rejects.toMatchObject({ code: 'conflict', reason: 'api_token_id_taken' });
    expect(await use(token)).toMatchObject({ id: client.id });
  });

  test('needs a recent confirmation, but revoking doesn’t', async () => {
    const { id } = await create(client);
    await db
      .updateTable('sessions')
      .set({ reauthenticated_at: null })
      .where('user_id', '=', client.id)
      .execute();
    await expect(create(client)).rejects.toMatchObject({ reason: 'reauthentication_required' });
    expect(await revokeApiToken(as(client), { id })).toEqual([]);
  });

  test.each(['availability:read', 'availability:write'] as const)('gives a client no %s', async (scope) => {
    const refusal = { code: 'precondition', reason: 'scope_not_offered' };
    await expect(create(client, ['appointments:read', scope])).rejects.toMatchObject(refusal);
  });

  test.each(every)('gives an administrator no %s', async (scope) => {
    await expect(create(admin, [scope])).rejects.toMatchObject({ reason: 'scope_not_offered' });
  });

  test('stops at ten that haven’t expired, even fifteen at once', async () => {
    const made = await Promise.allSettled(Array.from({ length: 15 }, () => create(client)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxApiTokens);
    const failures = made.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as { reason: string }] : [],
    );
    expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set(['too_many_api_tokens']));
    expect(await ownApiTokens(as(client))).toHaveLength(maxApiTokens);
    setNow('2026-05-31T12:00:00Z');
    expect(await ownApiTokens(as(client))).toEqual([]);
    await create(client);
    await deleteExpired(as({ kind: 'job', name: 'tidy' }));
    const { count } = await db
      .selectFrom('api_tokens')
      .select(sql<number>`count(*)::integer`.as('count'))
      .where('user_id', '=', client.id)
      .executeTakeFirstOrThrow();
    expect(count).toBe(1);
  });
});

describe('a token', () => {
  test('acts for its owner within its scopes, and doesn’t prove that anyone is present', async () => {
    const { id, token } = await create(provider, every);
    const actor = await use(token);
    expect(actor).toEqual({ kind: 'person', id: provider.id, role: 'doctor', sessionId: id, scopes: every });
    await expect(requireFresh(as(actor))).rejects.toMatchObject({ reason: 'reauthentication_required' });
  });

  test('records its last use once a minute', async () => {
    const { token } = await create(client);
    const usedAt = async () => (await ownApiTokens(as(client)))[0]!.usedAt;
    setNow('2026-03-02T12:00:05Z');
    await use(token);
    expect(await usedAt()).toBe('2026-03-02T12:00:00.000Z');
    const before = await sql<{ xmin: string }>`select xmin::text from api_tokens`.execute(db);
    setNow('2026-03-02T12:00:59Z');
    await use(token);
    expect((await sql<{ xmin: string }>`select xmin::text from api_tokens`.execute(db)).rows).toEqual(
      before.rows,
    );
    setNow('2026-03-02T12:01:00Z');
    await use(token);
    expect(await usedAt()).toBe('2026-03-02T12:01:00.000Z');
  });

  test('is refused the same way if forged, truncated, extended, in another case or without its prefix', async () => {
    const { token } = await create(client);
    const stored = await db
      .selectFrom('api_tokens')
      .select('token')
      .where('user_id', '=', client.id)
      .execute();
    for (const wrong of [
      'italk_',
      `italk_${'A'.repeat(43)}`,
      `italk_${stored[0]!.token}`,
      token.slice(0, -1),
      `${token}A`,
      `italk_${token.slice(6).toUpperCase()}`,
      `italk_${token.slice(6).toLowerCase()}`,
      token.slice(6),
    ])
      await expect(use(wrong), wrong).rejects.toMatchObject(refused);
    expect(await use(token)).toMatchObject({ id: client.id });
  });

  test('ends at its expiry, to the millisecond', async () => {
    const { token } = await create(client, ['appointments:read'], 1);
    setNow('2026-03-03T11:59:59.999Z');
    expect(await use(token)).toMatchObject({ id: client.id });
    setNow('2026-03-03T12:00:00Z');
    await expect(use(token)).rejects.toMatchObject(refused);
  });

  const system = () => as({ kind: 'system' });
  const roleTo = (from: 'doctor' | 'pastor', to: 'doctor' | 'pastor') =>
    changeRole(as(admin), effects, { userId: provider.id, from, to });
  test.each<[string, () => Promise<unknown>]>([
    ['a suspension', () => suspendUser(as(admin), effects, { userId: provider.id, reason: 'misuse' })],
    ['a new role', () => roleTo('doctor', 'pastor')],
    ['a new role and back', () => roleTo('doctor', 'pastor').then(() => roleTo('pastor', 'doctor'))],
    [
      'a role granted another way',
      () => db.updateTable('profiles').set({ role: 'pastor' }).where('id', '=', provider.id).execute(),
    ],
    [
      'a new password from the same session',
      async () => {
        const hash = await hashOf('a-quiet-room-43');
        const { sessionId: exceptSession } = provider;
        await transact(system(), (tx) => setPassword(tx, provider.id, hash, { exceptSession }));
      },
    ],
    ['signing out elsewhere', () => endOtherSessions(as(provider))],
    [
      'a new address',
      () =>
        transact(system(), (tx) =>
          changeAddress(tx, { userId: provider.id, to: `${newId()}@weiss.example` }),
        ),
    ],
    [
      'a reset of the second factor',
      async () => {
        const at = new Date('2026-03-01');
        await db
          .insertInto('second_factors')
          .values({ id: newId(), user_id: provider.id, secret: '', confirmed_at: at, created_at: at })
          .execute();
        await resetSecondFactor(as(admin), { id: provider.id });
      },
    ],
    [
      'revoking it',
      async () => revokeApiToken(as(provider), { id: (await ownApiTokens(as(provider)))[0]!.id }),
    ],
    [
      'the site turning programs off',
      () =>
        db
          .updateTable('feature_flags')
          .set({ enabled: false })
          .where('id', '=', 'mobile_app_access')
          .execute(),
    ],
  ])('opens nothing after %s', async (_, happen) => {
    const { token } = await create(provider, every);
    expect(await use(token)).toMatchObject({ id: provider.id });
    await happen();
    await expect(use(token)).rejects.toMatchObject(refused);
  });

  test('is logged if signing out elsewhere ends nothing but it', async () => {
    await create(client);
    await endOtherSessions(as(client));
    await endOtherSessions(as(client));
    expect(await entriesOf('other_devices_signed_out', client.id)).toEqual([
      { actor_id: client.id, details: { sessions: 0, apiTokens: 1 } },
    ]);
  });

  test('isn’t created while the site has programs off', async () => {
    await db
      .updateTable('feature_flags')
      .set({ enabled: false })
      .where('id', '=', 'mobile_app_access')
      .execute();
    await expect(create(client)).rejects.toMatchObject({ code: 'not_found', reason: 'feature_off' });
  });

  test('counts wrong tokens against their network, without blocking valid ones', async () => {
    const { token } = await create(client);
    const wrong = `italk_${'A'.repeat(43)}`;
    for (let tries = 0; tries < allowances.address.tries; tries++)
      await expect(use(wrong)).rejects.toMatchObject(refused);
    await expect(use(wrong)).rejects.toMatchObject({ code: 'rate_limited', reason: 'too_many_tries' });
    expect(await use(token)).toMatchObject({ id: client.id });
    await expect(use(wrong, '203.0.113.8')).rejects.toMatchObject(refused);
  });
});

describe('revoking a token', () => {
  test('is for its owner only; anyone else’s isn’t found', async () => {
    const { id, token } = await create(provider);
    const missing = { code: 'not_found', reason: 'api_token' };
    await expect(revokeApiToken(as(client), { id })).rejects.toMatchObject(missing);
    await expect(revokeApiToken(as(client), { id: newId() })).rejects.toMatchObject(missing);
    expect(await use(token)).toMatchObject({ id: provider.id });
    expect(await revokeApiToken(as(provider), { id })).toEqual([]);
    expect(await entriesOf('api_token_revoked', provider.id)).toEqual([
      { actor_id: provider.id, details: {} },
    ]);
  });

  test('is open to administrators with a reason, for the person they name', async () => {
    const { id: tokenId, token, ...view } = await create(client);
    const { apiTokens } = await openUser(as(admin), effects, client.id);
    expect(apiTokens).toEqual([{ id: tokenId, ...view }]);
    const revoke = (userId: string, by = admin) =>
      revokeUserToken(as(by), { userId, tokenId, reason: 'misuse' });
    await expect(revoke(provider.id)).rejects.toMatchObject({ code: 'not_found', reason: 'api_token' });
    await expect(revoke(client.id, provider)).rejects.toMatchObject({ reason: 'capability_missing' });
    expect(await use(token)).toMatchObject({ id: client.id });
    await revoke(client.id);
    await expect(use(token)).rejects.toMatchObject(refused);
    expect(await entriesOf('api_token_revoked', client.id)).toEqual([
      { actor_id: admin.id, details: { reason: 'misuse' } },
    ]);
  });
});
