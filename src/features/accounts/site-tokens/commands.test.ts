import { beforeEach, describe, expect, test } from 'vitest';
import type { SiteScope } from '#/kernel/actor.ts';
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
import { suspendUser } from '../account-status/commands.ts';
import { actorOfApiToken, createApiToken, revokeApiToken } from '../api-tokens/commands.ts';
import { maxSiteTokens } from '../api-tokens/rules.ts';
import { deleteExpired, endAllAccess, requireFresh, setPassword, signedIn } from '../commands.ts';
import { accountsPersonal } from '../personal.ts';
import { countAttempts } from '../tries/commands.ts';
import { allowances } from '../tries/rules.ts';
import { listUsers, openUser, type AccountEffects } from '../users/commands.ts';
import { createSiteToken, revokeSiteToken, siteTokens } from './commands.ts';

const { db, as, setNow, runJobs, readMails } = await testDatabase({ poolSize: 10 });

const adminEmails: string[] = [];
const server = { tries: countAttempts({ secret: 'x', rateLimitFactor: 1 }), adminEmails };
const effects: AccountEffects = {
  adminEmails,
  hasListing: async () => true,
  comingSessions: async () => 0,
  lockSessions: async () => undefined,
  settleSessions: async () => undefined,
  followListing: async () => undefined,
  tellAddresses: async () => undefined,
  tellOfAccount: async () => undefined,
};

let maker: Person;
let colleague: Person;

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db.deleteFrom('api_tokens').execute();
  await db.deleteFrom('rate_limits').execute();
  await setFlag({ enabled: true, scope: 'global', roles: [] });
  maker = await freshSession(db, await addAdministrator(db));
  colleague = await freshSession(db, await addAdministrator(db));
  adminEmails.splice(0, Infinity, ...[maker, colleague].map(({ id }) => `${id}@people.example`));
});

const setFlag = (to: object) =>
  db.updateTable('feature_flags').set(to).where('id', '=', 'mobile_app_access').execute();
const every: SiteScope[] = ['users:read', 'bookings:read', 'reports:read', 'health:read', 'audit:read'];
const create = (by: Person, more: { id?: string; scopes?: SiteScope[]; days?: number } = {}) =>
  createSiteToken(as(by), { name: 'Monitoring', scopes: ['health:read'], days: 90, ...more });
const use = (token: string, address = '203.0.113.7') =>
  actorOfApiToken({ ...as({ kind: 'guest' }), address }, server, token);
const refused = { code: 'unauthenticated', reason: 'bad_token' };
const entriesOf = (subject: string) =>
  db
    .selectFrom('audit_entries')
    .select(['action', 'actor_kind', 'actor_id', 'subject_kind', 'details'])
    .where('subject_id', '=', subject)
    .orderBy('id')
    .execute();

describe('creating a token of the site', () => {
  test('shows it once, keeps a hash, names its maker, logs it and emails them', async () => {
    const { token, ...view } = await create(maker, {
      scopes: ['audit:read', 'users:read', 'audit:read'],
      days: 365,
    });
    expect(token).toMatch(/^italk_[\w-]{43}$/);
    expect(view).toEqual({
      id: view.id,
      name: 'Monitoring',
      scopes: ['users:read', 'audit:read'],
      createdAt: '2026-03-02T12:00:00.000Z',
      expiresAt: '2027-03-02T12:00:00.000Z',
      usedAt: null,
      madeBy: { id: maker.id, name: expect.any(String) as string },
    });
    expect(await siteTokens(as(colleague))).toEqual([view]);
    const stored = await db.selectFrom('api_tokens').selectAll().executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ user_id: null, role: null, made_by: maker.id, token: digest(token) });
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(await entriesOf(view.id)).toEqual([
      {
        action: 'site_token_created',
        actor_kind: 'person',
        actor_id: maker.id,
        subject_kind: 'site_token',
        details: { scopes: 'users:read audit:read', days: 365 },
      },
    ]);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', `${maker.id}@people.example`));
    const text = mails.map(({ text_body }) => text_body).join();
    expect(text).toContain('An API token for the whole site was created from your account.');
    expect(text).not.toContain('italk_');
  });

  test('replaces the token when it’s repeated with its id by its maker', async () => {
    const id = newId();
    const made = await Promise.all(Array.from({ length: 10 }, () => create(maker, { id })));
    const { token } = await create(maker, { id });
    expect((await siteTokens(as(maker))).map((one) => one.id)).toEqual([id]);
    for (const lost of made) await expect(use(lost.token)).rejects.toMatchObject(refused);
    const taken = { code: 'conflict', reason: 'api_token_id_taken' };
    await expect(create(colleague, { id })).rejects.toMatchObject(taken);
    const own = { name: 'Mine', scopes: ['users:read' as const], days: 1, id };
    await expect(createApiToken(as(maker), own)).rejects.toMatchObject(taken);
    expect(await use(token)).toMatchObject({ id });
  });

  test('doesn’t replace a person’s own token', async () => {
    const own = { name: 'Mine', scopes: ['users:read' as const], days: 1 };
    const { id, token } = await createApiToken(as(maker), own);
    await expect(create(maker, { id })).rejects.toMatchObject({ reason: 'api_token_id_taken' });
    expect(await use(token)).toMatchObject({ kind: 'person', id: maker.id });
  });

  test('needs a recent confirmation, and so does revoking', async () => {
    const { id } = await create(maker);
    await db.updateTable('sessions').set({ reauthenticated_at: null }).execute();
    const asked = { code: 'precondition', reason: 'reauthentication_required' };
    await expect(create(maker)).rejects.toMatchObject(asked);
    await expect(revokeSiteToken(as(maker), { id })).rejects.toMatchObject(asked);
    expect(await siteTokens(as(maker))).toHaveLength(1);
  });

  test('needs both factors where its maker has two', async () => {
    const at = new Date('2026-03-01');
    await db
      .insertInto('second_factors')
      .values({ id: newId(), user_id: maker.id, secret: '', confirmed_at: at, created_at: at })
      .execute();
    await db.updateTable('sessions').set({ fully_reauthenticated_at: null }).execute();
    await expect(create(maker)).rejects.toMatchObject({ reason: 'full_reauthentication_required' });
    expect(await siteTokens(as(maker))).toEqual([]);
  });

  test('is for administrators', async () => {
    const { id } = await create(maker);
    for (const by of [
      await freshSession(db, await addClient(db)),
      await freshSession(db, await addProvider(db)),
    ]) {
      await expect(create(by)).rejects.toMatchObject({ code: 'forbidden' });
      await expect(revokeSiteToken(as(by), { id })).rejects.toMatchObject({ code: 'forbidden' });
      await expect(siteTokens(as(by))).rejects.toMatchObject({ code: 'forbidden' });
    }
    await db.updateTable('profiles').set({ role: 'client' }).where('id', '=', maker.id).execute();
    await expect(create(maker)).rejects.toMatchObject({ code: 'forbidden' });
    await db
      .updateTable('profiles')
      .set({ suspended_at: new Date() })
      .where('id', '=', colleague.id)
      .execute();
    await expect(create(colleague)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await db.selectFrom('api_tokens').select('id').execute()).toEqual([{ id }]);
  });

  test('stops at twenty that haven’t expired, even by two administrators at once', async () => {
    const own = { name: 'Mine', scopes: ['users:read' as const], days: 1 };
    await createApiToken(as(maker), own);
    const made = await Promise.allSettled(
      Array.from({ length: 30 }, (_, at) => create(at % 2 ? maker : colleague)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxSiteTokens);
    const failures = made.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as { reason: string }] : [],
    );
    expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set(['too_many_api_tokens']));
    expect(await siteTokens(as(maker))).toHaveLength(maxSiteTokens);
    await createApiToken(as(maker), own);
    setNow('2026-05-31T12:00:00Z');
    expect(await siteTokens(as(maker))).toEqual([]);
    await deleteExpired(as({ kind: 'job', name: 'tidy' }));
    expect(await db.selectFrom('api_tokens').select('id').execute()).toEqual([]);
  });
});

describe('a token of the site', () => {
  test('acts as itself within its scopes, and never as a person', async () => {
    const { id, token } = await create(maker, { scopes: every });
    const actor = await use(token);
    expect(actor).toEqual({ kind: 'site_token', id, scopes: every });
    expect(() => signedIn(as(actor))).toThrow('persons_only');
    await expect(requireFresh(as(actor))).rejects.toMatchObject({ reason: 'persons_only' });
    const own = { name: 'Mine', scopes: ['users:read' as const], days: 1 };
    for (const attempt of [
      () => createSiteToken(as(actor), { ...own, name: 'Another' }),
      () => createApiToken(as(actor), own),
      () => revokeSiteToken(as(actor), { id }),
      () => revokeApiToken(as(actor), { id }),
      () => suspendUser(as(actor), effects, { userId: colleague.id, reason: 'misuse' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' });
    expect(await siteTokens(as(maker))).toHaveLength(1);
  });

  test('is logged under its own id when it reads, once per quarter of an hour', async () => {
    const { id, token } = await create(maker, { scopes: ['users:read'] });
    const client = await addClient(db);
    const actor = await use(token);
    const read = () => openUser(as(actor), effects, client.id);
    expect(await read()).toMatchObject({ id: client.id, devices: [], apiTokens: [] });
    await read();
    await listUsers(as(actor), { search: '', order: 'name', descending: false, limit: 1 });
    const entries = await db
      .selectFrom('audit_entries')
      .select(['action', 'actor_kind', 'actor_name', 'subject_id'])
      .where('actor_id', '=', id)
      .orderBy('id')
      .execute();
    const by = { actor_kind: 'site_token', actor_name: null };
    expect(entries).toEqual([
      { ...by, action: 'user_viewed', subject_id: client.id },
      { ...by, action: 'users_listed', subject_id: null },
    ]);
    await expect(
      listUsers(as({ ...actor, scopes: ['health:read'] }), {
        search: '',
        order: 'name',
        descending: false,
        limit: 1,
      }),
    ).rejects.toMatchObject({ code: 'forbidden', reason: 'capability_missing' });
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      'a new password of its maker',
      async () => {
        const hash = await hashOf('a-quiet-room-43');
        await transact(as({ kind: 'system' }), (tx) => setPassword(tx, maker.id, hash));
      },
    ],
    [
      'another role of its maker',
      () => db.updateTable('profiles').set({ role: 'client' }).where('id', '=', maker.id).execute(),
    ],
    [
      'its maker’s suspension',
      () => suspendUser(as(colleague), effects, { userId: maker.id, reason: 'misuse' }),
    ],
    ['programs for administrators only', () => setFlag({ scope: 'role_based', roles: ['super_admin'] })],
  ])('still works after %s', async (_, happen) => {
    const { id, token } = await create(maker);
    await happen();
    expect(await use(token)).toMatchObject({ kind: 'site_token', id });
  });

  test('outlives its maker’s account, and then names nobody', async () => {
    const { id, token } = await create(maker);
    await transact(as({ kind: 'job', name: 'erase' }), (tx) => accountsPersonal.erase(tx, maker.id));
    expect(await use(token)).toMatchObject({ id });
    expect(await siteTokens(as(colleague))).toMatchObject([{ id, madeBy: null }]);
    expect(await revokeSiteToken(as(colleague), { id })).toEqual([]);
    await expect(use(token)).rejects.toMatchObject(refused);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the site turning programs off', () => setFlag({ enabled: false })],
    ['programs for other roles only', () => setFlag({ scope: 'role_based', roles: ['client'] })],
    ['programs for chosen people only', () => setFlag({ scope: 'user_specific' })],
    ['its expiry', async () => setNow('2026-05-31T12:00:00Z')],
    ['a restored backup', () => transact(as({ kind: 'system' }), endAllAccess)],
    [
      'another administrator revoking it',
      async () => revokeSiteToken(as(colleague), { id: (await siteTokens(as(colleague)))[0]!.id }),
    ],
  ])('opens nothing after %s', async (_, happen) => {
    const { token } = await create(maker);
    setNow('2026-05-31T11:59:59.999Z');
    expect(await use(token)).toMatchObject({ kind: 'site_token' });
    setNow('2026-03-02T12:00:00Z');
    await happen();
    await expect(use(token)).rejects.toMatchObject(refused);
  });

  test.each<[string, object]>([
    ['off', { enabled: false }],
    ['for other roles', { scope: 'role_based', roles: ['client'] }],
    ['for chosen people', { scope: 'user_specific' }],
  ])('isn’t created while programs are %s', async (_, flag) => {
    await setFlag(flag);
    await expect(create(maker)).rejects.toMatchObject({ code: 'not_found', reason: 'feature_off' });
    expect(await siteTokens(as(maker))).toEqual([]);
  });

  test('works while wrong tokens from its network are refused', async () => {
    const { token } = await create(maker);
    const wrong = `italk_${'A'.repeat(43)}`;
    for (let tries = 0; tries < allowances.address.tries; tries++)
      await expect(use(wrong)).rejects.toMatchObject(refused);
    await expect(use(wrong)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await use(token)).toMatchObject({ kind: 'site_token' });
  });
});

test('revokes only tokens of the site, and logs it', async () => {
  const { id } = await create(maker);
  const own = await createApiToken(as(maker), { name: 'Mine', scopes: ['users:read'], days: 1 });
  const missing = { code: 'not_found', reason: 'api_token' };
  for (const other of [own.id, newId()])
    await expect(revokeSiteToken(as(colleague), { id: other })).rejects.toMatchObject(missing);
  await expect(revokeApiToken(as(maker), { id })).rejects.toMatchObject(missing);
  expect(await revokeSiteToken(as(colleague), { id })).toEqual([]);
  expect((await entriesOf(id)).at(-1)).toMatchObject({
    action: 'site_token_revoked',
    actor_id: colleague.id,
    subject_kind: 'site_token',
  });
  expect(await use(own.token)).toMatchObject({ id: maker.id });
});
