import { beforeAll, describe, expect, test } from 'vitest';
import { newId, systemNow } from '#/platform/clock.ts';
import { maxSkipped } from '#/features/accounts/users/rules.ts';
import { addAdministrator, addClient, addProvider } from '../support/people.ts';
import { appCode, programPassword, programsOf, type Tokens } from '../support/programs.ts';
import { castOf, problemIn, testServer, type Answer } from '../support/server.ts';

const adminEmails: string[] = [];
const server = await testServer({ config: { mode: 'production', adminEmails } });
const { db } = server.database;
const { somebody, client, administrationBy, send, signIn, refresh } = programsOf(server);
await db
  .updateTable('feature_flags')
  .set({ enabled: true, scope: 'global' })
  .where('id', '=', 'two_factor_authentication')
  .execute();

interface Chief {
  id: string;
  email: string;
  /** From before and after a confirmation of identity. */
  stale: string;
  fresh: string;
  /** An API token that reads users. */
  key: string;
  keyId: string;
}

/** A person with tokens from before and after a confirmation of identity. */
async function confirmed(email: string): Promise<{ stale: string; fresh: string }> {
  const first = await signIn(email);
  const body = { current_password: programPassword };
  expect((await send('PUT', '/user', { token: first.access_token, body })).status).toBe(200);
  const renewed = (await refresh(first.refresh_token)).json as Tokens;
  return { stale: (await signIn(email)).access_token, fresh: renewed.access_token };
}

async function administrator(): Promise<Chief> {
  const { id, email } = await somebody(await addAdministrator(db));
  adminEmails.push(email);
  const { stale, fresh } = await confirmed(email);
  const body = { name: 'Front desk', scopes: ['users:read'], days: 30 };
  const made = await send('POST', '/api/me/api-tokens', { token: fresh, body });
  expect(made.status, made.text).toBe(201);
  const { id: keyId, token: key } = made.json as { id: string; token: string };
  return { id, email, stale, fresh, key, keyId };
}

let chief: Chief;
beforeAll(async () => {
  chief = await administrator();
});

const codeIn = ({ json }: Answer) => (json as { code: string }).code;
const entriesOf = (subject: string) =>
  db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id', 'details', 'success'])
    .where('subject_id', '=', subject)
    .orderBy('id')
    .execute();
const actionsOn = async (subject: string) =>
  (await entriesOf(subject)).filter(({ success }) => success).map(({ action }) => action);
const profileOf = (id: string) =>
  db.selectFrom('profiles').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const sessionsOf = (userId: string) =>
  db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute();
const mailsTo = async (email: string) => {
  server.database.setNow(systemNow().toString());
  await server.database.runJobs();
  return server.database.readMails((rows) => rows.where('recipient', '=', email));
};
const banned = { ban_duration: '876000h' };

/** What each call of the published client answers. */
const calls = {
  listUsers: (key: string) => administrationBy(key).listUsers(),
  getUserById: (key: string, id: string) => administrationBy(key).getUserById(id),
  listFactors: (key: string, userId: string) => administrationBy(key).mfa.listFactors({ userId }),
  rename: (key: string, id: string) =>
    administrationBy(key).updateUserById(id, { user_metadata: { full_name: 'Ruth Amsel' } }),
  ban: (key: string, id: string) => administrationBy(key).updateUserById(id, banned),
  lift: (key: string, id: string) => administrationBy(key).updateUserById(id, { ban_duration: 'none' }),
  promote: (key: string, id: string) => administrationBy(key).updateUserById(id, { role: 'super_admin' }),
  deleteUser: (key: string, id: string) => administrationBy(key).deleteUser(id),
  deleteFactor: (key: string, userId: string) =>
    administrationBy(key).mfa.deleteFactor({ userId, id: newId() }),
} as const;
const reading = ['listUsers', 'getUserById', 'listFactors'];

describe('an administrator’s own token', () => {
  test('lists users by page, newest first, with their number and the pages around', async () => {
    const made = [];
    for (let count = 0; count < 5; count++) made.push((await somebody()).id);
    await db
      .updateTable('profiles')
      .set({ created_at: new Date('2030-01-01') })
      .where('id', 'in', made)
      .execute();
    const newest = made.toSorted().toReversed();
    const api = administrationBy(chief.stale);
    const { data: first, error } = await api.listUsers({ page: 1, perPage: 2 });
    expect(error).toBeNull();
    const everyone = await db
      .selectFrom('profiles')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    const total = Number(everyone.count);
    expect(first).toMatchObject({ nextPage: 2, lastPage: Math.ceil(total / 2), total, aud: 'authenticated' });
    const { data: second } = await api.listUsers({ page: 2, perPage: 2 });
    const { data: third } = await api.listUsers({ page: 3, perPage: 2 });
    const ids = [first, second, third].flatMap(({ users }) => users.map(({ id }) => id));
    expect(ids.slice(0, 5)).toEqual(newest);
    const { data: whole } = await api.listUsers();
    expect(whole).toMatchObject({ nextPage: null, lastPage: 1, total });
    expect(whole.users).toHaveLength(total);
    const answer = await send('GET', `/admin/users?page=9&per_page=100`, { token: chief.stale });
    expect(answer.json).toEqual({ users: [], aud: 'authenticated' });
    expect(answer.headers).toMatchObject({ 'x-total-count': String(total), 'cache-control': 'no-store' });
    expect(answer.headers.link).toMatch(/^<\S+\?page=1&per_page=100>; rel="last"$/);
  });

  test('shows what their page shows, and logs it', async () => {
    const { id, email } = await somebody();
    const { data, error } = await administrationBy(chief.stale).getUserById(id);
    expect(error).toBeNull();
    expect(data.user).toEqual({
      id,
      aud: 'authenticated',
      role: 'client',
      email,
      email_confirmed_at: expect.any(String) as string,
      app_metadata: {},
      user_metadata: { full_name: expect.any(String) as string },
      created_at: expect.any(String) as string,
    });
    expect(await entriesOf(id)).toMatchObject([
      ...(await entriesOf(id)).slice(0, -1),
      { action: 'user_viewed', actor_id: chief.id, success: true },
    ]);
  });

  test('renames, suspends and restores, with the same log, notices and end of sessions', async () => {
    const { id, email } = await somebody();
    const { access_token: theirs } = await signIn(email);
    const api = administrationBy(chief.fresh);
    const renamed = await api.updateUserById(id, { user_metadata: { full_name: 'Ruth Amsel' } });
    expect(renamed.data.user).toMatchObject({ email, user_metadata: { full_name: 'Ruth Amsel' } });
    const suspended = await api.updateUserById(id, banned);
    expect(suspended.data.user).toMatchObject({ banned_until: '9999-12-31T23:59:59Z' });
    expect(await sessionsOf(id)).toEqual([]);
    expect((await send('GET', '/user', { token: theirs })).status).toBe(403);
    expect((await client().signInWithPassword({ email, password: programPassword })).error).toMatchObject({
      code: 'user_banned',
    });
    const restored = await api.updateUserById(id, { ban_duration: 'none' });
    expect(restored.data.user).not.toHaveProperty('banned_until');
    expect((await client().signInWithPassword({ email, password: programPassword })).error).toBeNull();
    expect(await actionsOn(id)).toEqual(
      expect.arrayContaining(['user_edited', 'user_suspended', 'user_reactivated']),
    );
    const entry = (await entriesOf(id)).find(({ action }) => action === 'user_suspended');
    expect(entry).toMatchObject({ actor_id: chief.id, details: { reason: 'other' } });
    expect((await mailsTo(email)).length).toBeGreaterThanOrEqual(2);
  });

  test('changes an address as their page does: held, and with both addresses told', async () => {
    const { id, email } = await somebody();
    const to = `moved.${id}@grace.test`;
    const { data, error } = await administrationBy(chief.fresh).updateUserById(id, { email: to });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email: to });
    expect(data.user).not.toHaveProperty('email_confirmed_at');
    expect(await sessionsOf(id)).toEqual([]);
    for (const address of [email, to]) expect(await mailsTo(address), address).not.toEqual([]);
    const taken = await administrationBy(chief.fresh).updateUserById(id, { email: chief.email });
    expect(taken.error).toMatchObject({ code: 'email_exists' });
  });

  test('changes a role only to what the account can have', async () => {
    const { id } = await addProvider(db);
    const api = administrationBy(chief.fresh);
    expect((await api.updateUserById(id, { role: 'super_admin' })).error).toMatchObject({ code: 'conflict' });
    expect((await api.updateUserById(id, { role: 'pastor' })).data.user).toMatchObject({ role: 'pastor' });
    expect((await profileOf(id)).role).toBe('pastor');
    for (const role of ['admin', 'authenticated', 'service_role', ''])
      expect((await api.updateUserById(id, { role })).error, role).toMatchObject({
        code: 'validation_failed',
        message: expect.stringContaining('(role)') as string,
      });
  });

  test('never suspends a specialist over sessions to come without a decision about them', async () => {
    const { providerId } = await castOf(server);
    const { error } = await administrationBy(chief.fresh).updateUserById(providerId, banned);
    expect(error).toMatchObject({ status: 409, code: 'conflict' });
    expect((await profileOf(providerId)).suspended_at).toBeNull();
  });

  test('deletes an account, which ends at once', async () => {
    const { id, email } = await somebody();
    await signIn(email);
    const api = administrationBy(chief.fresh);
    expect((await api.deleteUser(id, true)).error).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('(should_soft_delete)') as string,
    });
    expect((await api.deleteUser(id)).error).toBeNull();
    expect(await sessionsOf(id)).toEqual([]);
    expect(await actionsOn(id)).toContain('user_deleted');
    expect((await api.getUserById(id)).error).toMatchObject({ status: 404, code: 'user_not_found' });
    expect((await api.deleteUser(id)).error).toMatchObject({ code: 'user_not_found' });
  });

  test('resets a lost second factor, by its own id alone', async () => {
    const { id, email } = await somebody();
    const theirs = client();
    await theirs.signInWithPassword({ email, password: programPassword });
    await theirs.updateUser({ current_password: programPassword });
    await theirs.refreshSession();
    const { data: enrolled } = await theirs.mfa.enroll({ factorType: 'totp' });
    const { id: factorId, totp } = enrolled!;
    expect((await theirs.mfa.challengeAndVerify({ factorId, code: appCode(totp.secret) })).error).toBeNull();
    const { mfa } = administrationBy(chief.fresh);
    const listed = await mfa.listFactors({ userId: id });
    expect(listed.data!.factors).toMatchObject([{ id: factorId, factor_type: 'totp', status: 'verified' }]);
    expect(JSON.stringify(listed)).not.toContain(totp.secret);
    const missing = { code: 'mfa_factor_not_found' };
    expect((await mfa.deleteFactor({ userId: id, id: newId() })).error).toMatchObject(missing);
    expect((await mfa.deleteFactor({ userId: chief.id, id: factorId })).error).toMatchObject(missing);
    const stale = await administrationBy(chief.stale).mfa.deleteFactor({ userId: id, id: factorId });
    expect(stale.error).toMatchObject({ code: 'reauthentication_needed' });
    expect((await mfa.deleteFactor({ userId: id, id: factorId })).error).toBeNull();
    expect((await mfa.listFactors({ userId: id })).data!.factors).toEqual([]);
    expect(await sessionsOf(id)).toEqual([]);
    expect(await actionsOn(id)).toContain('second_factor_reset');
  });

  test('changes nothing before a confirmation, and never its own account or a missing one', async () => {
    const { id } = await somebody();
    const before = await profileOf(id);
    for (const [name, call] of Object.entries(calls)) {
      if (reading.includes(name) || name === 'deleteFactor') continue;
      const { error } = await call(chief.stale, id);
      expect([name, error?.code]).toEqual([name, 'reauthentication_needed']);
      expect((await call(chief.fresh, newId())).error, name).toMatchObject({ code: 'user_not_found' });
    }
    expect(await profileOf(id)).toEqual(before);
    const other = await administrator();
    for (const act of [calls.ban, calls.deleteUser])
      expect((await act(other.fresh, other.id)).error).toMatchObject({ code: 'conflict' });
    const demoted = await administrationBy(other.fresh).updateUserById(other.id, { role: 'client' });
    expect(demoted.error).toMatchObject({ code: 'conflict' });
    expect(await profileOf(other.id)).toMatchObject({ role: 'super_admin', suspended_at: null });
  });
});

test('two administrators who suspend each other at once leave one', async () => {
  const [one, two] = [await administrator(), await administrator()];
  await db
    .updateTable('profiles')
    .set({ role: 'client' })
    .where('role', '=', 'super_admin')
    .where('id', 'not in', [one.id, two.id])
    .execute();
  const answers = await Promise.all([calls.ban(one.fresh, two.id), calls.ban(two.fresh, one.id)]);
  expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
  const left = await db
    .selectFrom('profiles')
    .select('id')
    .where('role', '=', 'super_admin')
    .where('suspended_at', 'is', null)
    .execute();
  expect(left).toHaveLength(1);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
});

describe('an administrator’s API token', () => {
  test('reads users, in its owner’s name, and changes none', async () => {
    const { id } = await somebody();
    const stored = await profileOf(id);
    for (const [name, call] of Object.entries(calls)) {
      const { error } = await call(chief.key, id);
      const code = reading.includes(name)
        ? undefined
        : name === 'deleteFactor'
          ? 'mfa_factor_not_found'
          : 'forbidden';
      expect([name, error?.code]).toEqual([name, code]);
    }
    expect(await profileOf(id)).toEqual(stored);
    expect((await entriesOf(id)).at(-1)).toMatchObject({ actor_id: chief.id });
    const refused = await db
      .selectFrom('audit_entries')
      .select('details')
      .where('action', '=', 'refused.directory.suspend')
      .where('actor_id', '=', chief.id)
      .orderBy('id')
      .execute();
    expect(refused).toEqual([{ details: { reason: 'scope_missing' } }]);
    expect((await send('POST', '/api/admin/users/list', { token: chief.key, body: {} })).status).toBe(200);
  });

  test('shows neither people’s devices nor their tokens', async () => {
    const open = (token: string) => send('POST', `/api/admin/users/${chief.id}/open`, { token, body: {} });
    const own = await open(chief.fresh);
    expect(own.json).toMatchObject({ devices: [{}, {}], apiTokens: [{ id: chief.keyId }] });
    expect((await open(chief.key)).json).toMatchObject({ devices: [], apiTokens: [] });
  });

  test('opens nothing else under /auth/v1', async () => {
    for (const [method, path] of [
      ['GET', '/user'],
      ['PUT', '/user'],
      ['GET', '/reauthenticate'],
      ['POST', '/logout'],
      ['POST', '/factors'],
    ] as const) {
      const answer = await send(method, path, { token: chief.key, ...(method !== 'GET' && { body: {} }) });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });

  test('ends with its owner’s role, suspension and its own revocation', async () => {
    const ends = {
      revoked: ({ fresh, keyId }: Chief) =>
        send('POST', `/api/me/api-tokens/${keyId}/revoke`, { token: fresh, body: {} }),
      expired: ({ keyId }: Chief) =>
        db
          .updateTable('api_tokens')
          .set({ expires_at: new Date(0) })
          .where('id', '=', keyId)
          .execute(),
      suspended: ({ id }: Chief) => calls.ban(chief.fresh, id),
      'no longer an administrator': ({ id }: Chief) =>
        administrationBy(chief.fresh).updateUserById(id, { role: 'client' }),
      'no longer in ADMIN_EMAILS': async ({ email }: Chief) => {
        adminEmails.splice(adminEmails.indexOf(email), 1);
      },
    };
    for (const [how, end] of Object.entries(ends)) {
      const other = await administrator();
      expect((await calls.listUsers(other.key)).error, how).toBeNull();
      await end(other);
      expect((await calls.listUsers(other.key)).error, how).toMatchObject({ status: 401 });
      if (how === 'revoked' || how === 'expired') continue;
      expect((await calls.listUsers(other.fresh)).error, how).not.toBeNull();
    }
  });
});

test('is for administrators: no one else’s token opens it, whatever its scope', async () => {
  const victim = await somebody();
  const before = await profileOf(victim.id);
  const ordinary = await somebody();
  const provider = await somebody(await addProvider(db));
  const theirs = [await confirmed(ordinary.email), await confirmed(provider.email)].map(({ fresh }) => fresh);
  const body = { name: 'Desk', scopes: ['users:read'], days: 30 };
  for (const token of theirs)
    expect(problemIn(await send('POST', '/api/me/api-tokens', { token, body })).reason).toBe(
      'scope_not_offered',
    );
  const narrow = { ...body, scopes: ['appointments:read'] };
  const made = await send('POST', '/api/me/api-tokens', { token: theirs[0]!, body: narrow });
  const { token: key } = made.json as { token: string };
  for (const [name, call] of Object.entries(calls)) {
    for (const token of theirs)
      for (const id of [victim.id, ordinary.id, newId()])
        expect([name, (await call(token, id)).error?.code]).toEqual([name, 'not_admin']);
    expect([name, (await call(key, victim.id)).error?.code]).toEqual([name, 'forbidden']);
    expect((await call('x', victim.id)).error, name).toMatchObject({ code: 'bad_jwt' });
    expect((await call(`italk_${'A'.repeat(43)}`, victim.id)).error, name).toMatchObject({ status: 401 });
    expect((await call('', victim.id)).error, name).toMatchObject({ code: 'no_authorization' });
  }
  expect(await profileOf(victim.id)).toEqual(before);
  expect(await actionsOn(victim.id)).not.toContain('user_viewed');
  const noted = await db
    .selectFrom('audit_entries')
    .select('action')
    .where('actor_id', '=', ordinary.id)
    .where('action', '=', 'refused.directory.open')
    .orderBy('id')
    .execute();
  expect(noted.length, 'the log names who tried').toBeGreaterThan(0);
});

describe('unsupported administration', () => {
  test(
    'is to sign people up, invite them or make links into their accounts',
    { tags: ['long'] },
    async () => {
      const { email } = await somebody();
      const api = administrationBy(chief.fresh);
      const before = await db.selectFrom('users').select('id').execute();
      const off = { status: 422, code: 'signup_disabled' };
      const created = await api.createUser({ email: 'new@grace.test', password: 'x', email_confirm: true });
      expect(created.error).toMatchObject(off);
      expect((await api.inviteUserByEmail('new@grace.test')).error).toMatchObject(off);
      for (const type of ['magiclink', 'recovery'] as const)
        expect((await api.generateLink({ type, email })).error, type).toMatchObject(off);
      expect((await api.generateLink({ type: 'signup', email, password: 'x' })).error).toMatchObject(off);
      expect(await db.selectFrom('users').select('id').execute()).toEqual(before);
      expect(await mailsTo('new@grace.test')).toEqual([]);
    },
  );

  test.each([
    ['password', 'a-calm-harbor-77'],
    ['password_hash', '$argon2id$v=19$x'],
    ['email_confirm', true],
    ['phone', '+12125550123'],
    ['phone_confirm', true],
    ['app_metadata', { role: 'super_admin' }],
    ['id', newId()],
    ['nonce', '123456'],
    ['data', { full_name: 'x' }],
    ['__proto__x', 1],
  ])('is to set a person’s %s', async (field, value) => {
    const { id, email } = await somebody();
    const { error } = await administrationBy(chief.fresh).updateUserById(id, { [field]: value });
    expect(error).toMatchObject({
      status: 422,
      code: 'validation_failed',
      message: `Administrators can’t set this. (${field})`,
    });
    expect((await client().signInWithPassword({ email, password: programPassword })).error).toBeNull();
  });
});

describe('bad input', () => {
  test.each([
    ['ban_duration', { ban_duration: '24h' }],
    ['ban_duration', { ban_duration: '' }],
    ['ban_duration', { ban_duration: '-876000h' }],
    ['ban_duration', { ban_duration: '876000h30m' }],
    ['ban_duration', { ban_duration: 876_000 }],
    ['user_metadata', { user_metadata: { full_name: 'x', theme: 'dark' } }],
    ['user_metadata', { user_metadata: [] }],
    ['user_metadata.full_name', { user_metadata: { full_name: '' } }],
    ['user_metadata.full_name', { user_metadata: { full_name: 'a\nb' } }],
    ['user_metadata.full_name', { user_metadata: {} }],
    ['email', { email: 'nobody' }],
    ['role', { role: ['client'] }],
  ])('in %s is refused: %j', async (field, body) => {
    const { id } = await somebody();
    const before = await profileOf(id);
    const answer = await send('PUT', `/admin/users/${id}`, { token: chief.fresh, body });
    expect([answer.status, answer.json]).toEqual([
      400,
      expect.objectContaining({
        code: 'validation_failed',
        msg: `The request is invalid. (${field})`,
      }),
    ]);
    expect(await profileOf(id)).toEqual(before);
  });

  test('makes several kinds of change at once', async () => {
    const { id } = await somebody();
    const body = { ...banned, user_metadata: { full_name: 'Ruth Amsel' } };
    const answer = await send('PUT', `/admin/users/${id}`, { token: chief.fresh, body });
    expect(answer).toMatchObject({ status: 422, json: { code: 'validation_failed' } });
    expect(await profileOf(id)).toMatchObject({ suspended_at: null });
    const none = await send('PUT', `/admin/users/${id}`, { token: chief.fresh, body: {} });
    expect(none).toMatchObject({ status: 200, json: { id } });
  });

  test.each([
    ['page', 'page=0'],
    ['page', 'page=-1'],
    ['page', 'page=1.5'],
    ['page', 'page=x'],
    ['page', 'page=9007199254740993'],
    ['page', 'page=1e308'],
    ['page', `page=${maxSkipped}&per_page=100`],
    ['per_page', 'per_page=101'],
    ['per_page', 'per_page=0'],
    ['per_page', 'per_page=1;drop'],
  ])('in %s is refused: %s', async (field, query) => {
    const answer = await send('GET', `/admin/users?${query}`, { token: chief.stale });
    expect([answer.status, (answer.json as { msg: string }).msg]).toEqual([
      400,
      `The request is invalid. (${field})`,
    ]);
  });

  test('is broken JSON, and paths with other ids', async () => {
    const { id } = await somebody();
    for (const body of ['{', 'null', '[]', '"x"', '\u0000'])
      for (const method of ['PUT', 'DELETE']) {
        const headers = { 'content-type': 'application/json' };
        const answer = await send(method, `/admin/users/${id}`, { token: chief.fresh, body, headers });
        expect([body, answer.status, codeIn(answer)]).toEqual([body, 400, 'bad_json']);
      }
    const empty = await send('PUT', `/admin/users/${id}`, { token: chief.fresh });
    expect([empty.status, codeIn(empty)]).toEqual([400, 'bad_json']);
    const unchanged = await administrationBy(chief.fresh).updateUserById(id, {});
    expect(unchanged).toMatchObject({ data: { user: { id } }, error: null });
    for (const path of ['/admin/users/1', `/admin/users/${id}x`, `/admin/users/${id}/passkeys`, '/admin'])
      expect((await send('GET', path, { token: chief.fresh })).status, path).toBe(404);
    expect((await profileOf(id)).delete_after).toBeNull();
  });
});

test('signs a person out by their own token, as the published client does', async () => {
  const { id, email } = await somebody();
  const { access_token: theirs } = await signIn(email);
  await signIn(email);
  const api = administrationBy(chief.key);
  expect((await api.signOut(theirs, 'others')).error).toBeNull();
  expect(await sessionsOf(id)).toHaveLength(1);
  expect((await api.signOut(theirs, 'global')).error).toBeNull();
  expect(await sessionsOf(id)).toEqual([]);
});

test('is not found while Mobile App Access is off', async () => {
  const { id } = await addClient(db);
  const setFlag = (enabled: boolean) =>
    db.updateTable('feature_flags').set({ enabled }).where('id', '=', 'mobile_app_access').execute();
  await setFlag(false);
  for (const [method, path] of [
    ['GET', '/admin/users'],
    ['POST', '/admin/users'],
    ['GET', `/admin/users/${id}`],
    ['PUT', `/admin/users/${id}`],
    ['DELETE', `/admin/users/${id}`],
    ['GET', `/admin/users/${id}/factors`],
    ['DELETE', `/admin/users/${id}/factors/${id}`],
    ['POST', '/admin/generate_link'],
    ['POST', '/invite'],
  ] as const) {
    const sent = { token: chief.fresh, ...(method !== 'GET' && { body: {} }) };
    expect(problemIn(await send(method, path, sent)).reason, path).toBe('no_such_route');
    expect((await send(method, path, { ...sent, token: chief.key })).status, path).toBe(401);
  }
  await setFlag(true);
});
