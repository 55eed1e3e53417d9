import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../../tests/support/identity.ts';
import { hashOf } from '../../../../tests/support/passwords.ts';
import { transact } from '#/platform/db/transact.ts';
import { createAccount, makeLinkToken, setPassword } from '../commands.ts';
import { endOtherSessions } from '../session/commands.ts';

const database = await testDatabase({ poolSize: 4 });
const { guest, events, production, send, signIn, actorOf, userOf, verified, entries } =
  identitiesOf(database);

beforeAll(() => database.setNow('2026-03-02T12:00:00Z'));

async function ownerOf(email: string): Promise<{ id: string; jar: string }> {
  const { id } = await verified(email);
  const { cookies } = await signIn(production, email);
  return { id, jar: cookies.map((cookie) => cookie.split(';')[0]).join('; ') };
}

async function attack(email: string, tries = 12): Promise<number[]> {
  const statuses = [];
  for (let i = 0; i < tries; i++) statuses.push((await signIn(production, email, 'wrong-password')).status);
  return statuses;
}

const mailsOf = (event: string, userId: string) =>
  events.filter(
    ({ event: name, payload }) => name === event && (payload as { userId: string }).userId === userId,
  );

describe('a known device', () => {
  test('signs in while strangers exhaust the account’s attempts', async () => {
    const { jar } = await ownerOf('owner@italk.test');
    expect((await attack('owner@italk.test')).slice(10)).toEqual([429, 429]);
    expect(await signIn(production, 'owner@italk.test', password, { cookie: jar })).toMatchObject({
      status: 200,
      body: { signedIn: true },
    });
    expect((await signIn(production, 'owner@italk.test')).status).toBe(429);
  });

  test('has ten guesses of its own, even in parallel, apart from others’ attempts', async () => {
    const { jar } = await ownerOf('lost-laptop@italk.test');
    const guesses = await Promise.all(
      Array.from({ length: 15 }, () =>
        signIn(production, 'lost-laptop@italk.test', 'wrong-password', { cookie: jar }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    expect((await signIn(production, 'lost-laptop@italk.test')).status).toBe(200);
  });

  test('is known only to its own account', async () => {
    const { jar } = await ownerOf('known-here@italk.test');
    const { id } = await verified('not-here@italk.test');
    await attack('not-here@italk.test');
    // Sends the device token under another account's cookie name.
    const [, token] = /device\.[\w-]+=([\w-]+)/.exec(jar)!;
    const { cookies } = await send(
      production,
      '/unlock',
      { token: await makeLinkToken(guest, 'unlock', id) },
      { cookie: jar },
    );
    const name = cookies[0]!.split('=')[0]!;
    const forged = await signIn(production, 'not-here@italk.test', password, { cookie: `${name}=${token}` });
    expect(forged.status).toBe(429);
  });

  test('has an HttpOnly cookie sent only to sign-in paths, stored as a hash', async () => {
    const { id } = await verified('cookie-jar@italk.test');
    const { cookies } = await signIn(production, 'cookie-jar@italk.test');
    expect(cookies[1]).toMatch(
      /^__Secure-italk\.device\.[\w-]{12}=[\w-]{32}; Max-Age=34560000; Path=\/api\/auth; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(cookies[1]).not.toContain(id);
    const token = /=([\w-]{32});/.exec(cookies[1]!)![1]!;
    const stored = await database.db.selectFrom('known_devices').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test.each(['a new password', 'signing out everywhere else'])('is forgotten with %s', async (how) => {
    const email = `${how.replaceAll(' ', '-')}@italk.test`;
    const { id, jar } = await ownerOf(email);
    if (how === 'a new password') {
      const token = await makeLinkToken(guest, 'reset-password', id);
      await send(production, '/reset-password', { token, newPassword: password });
    } else {
      const { cookie } = await signIn(production, email);
      const actor = await actorOf(production, cookie);
      await endOtherSessions(database.as(actor));
    }
    await attack(email);
    expect((await signIn(production, email, password, { cookie: jar })).status).toBe(429);
  });

  test('can reset the password despite strangers’ requests', { tags: ['long'] }, async () => {
    const { id, jar } = await ownerOf('mails@italk.test');
    const ask = (cookie?: string) =>
      send(production, '/request-password-reset', { email: 'mails@italk.test' }, cookie ? { cookie } : {});
    const strangers = [await ask(), await ask(), await ask(), await ask(), await ask()];
    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([200]));
    // Three valid links already exist; further emails would only flood the inbox.
    expect(mailsOf('accounts.password_reset_requested', id)).toHaveLength(3);
    expect((await ask(jar)).status).toBe(200);
    expect(mailsOf('accounts.password_reset_requested', id)).toHaveLength(4);
  });
});

describe('an account locked by strangers', () => {
  test('notifies its owner once, until the link is used', async () => {
    const { id } = await verified('told@italk.test');
    await Promise.all([attack('told@italk.test', 14), attack('told@italk.test', 14)]);
    expect(mailsOf('accounts.sign_in_locked', id)).toHaveLength(1);
    const locked = await signIn(production, 'told@italk.test');
    expect(locked).toMatchObject({ status: 429, body: { reason: 'sign_in_locked' } });
    // The lock doesn't reveal whether the account exists.
    await attack('no-such-person@italk.test');
    expect(await signIn(production, 'no-such-person@italk.test')).toEqual(locked);

    const token = await makeLinkToken(guest, 'unlock', id);
    const unlocked = await send(production, '/unlock', { token });
    expect(unlocked).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(await entries('sign_in_unlocked', id)).toHaveLength(1);
    await signIn(production, 'told@italk.test');
    expect(mailsOf('accounts.sign_in_locked', id)).toHaveLength(2);
    expect(await send(production, '/unlock', { token })).toMatchObject({
      status: 412,
      body: { reason: 'link_expired' },
    });
  });

  test('admits the browser that used the link, and gives strangers no attempts', async () => {
    const { id } = await verified('unlocked@italk.test');
    await attack('unlocked@italk.test');
    const token = await makeLinkToken(guest, 'unlock', id);
    const { cookie } = await send(production, '/unlock', { token });
    expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
    expect(await attack('unlocked@italk.test', 3)).toEqual([429, 429, 429]);
    expect((await signIn(production, 'unlocked@italk.test', password, { cookie })).body).toEqual({
      signedIn: true,
    });
  });
});

test('emails about a sign-in from a new device only', async () => {
  const { id } = await verified('new-device@italk.test');
  const told = () => mailsOf('accounts.secured', id).length;
  expect(told()).toBe(0);
  const { cookies } = await signIn(production, 'new-device@italk.test');
  expect(told()).toBe(1);
  await signIn(production, 'new-device@italk.test', password, {
    cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; '),
  });
  expect(told()).toBe(1);
});

describe('one network address', () => {
  const nat = '198.51.100.77';

  test('signs in any number of people, and limits guesses', { tags: ['long'] }, async () => {
    const people = Array.from({ length: 55 }, (_, i) => `member${i}@italk.test`);
    const hash = await hashOf(password);
    const system = database.as({ kind: 'system' });
    for (const email of people)
      await transact(system, async (tx) => {
        const account = { email, name: 'A member', role: 'client', emailVerified: true } as const;
        await setPassword(tx, await createAccount(tx, account), hash);
      });
    const statuses = await Promise.all(
      people.map(async (email) => (await signIn(production, email, password, { address: nat })).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    const guesses = await Promise.all(
      Array.from({ length: 55 }, (_, i) => signIn(production, `x${i}@italk.test`, 'wrong', { address: nat })),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(50);
    // Known devices can sign in despite guesses from the same network.
    const { jar } = await ownerOf('regular@italk.test');
    expect(
      (await signIn(production, 'regular@italk.test', password, { address: nat, cookie: jar })).status,
    ).toBe(200);
  });

  test(
    'allows a church to sign up and reset passwords together, and limits floods per address',
    { tags: ['long'] },
    async () => {
      const church = { address: '198.51.100.79' };
      const signUp = (email: string) =>
        send(production, '/sign-up/email', { email, name: 'A member', password }, church);
      const forgot = (email: string) => send(production, '/request-password-reset', { email }, church);
      const each = async (ask: (email: string) => Promise<{ status: number }>, emails: readonly string[]) =>
        (await Promise.all(emails.map(ask))).map(({ status }) => status);
      const people = Array.from({ length: 40 }, (_, i) => `church${i}@italk.test`);
      expect(new Set(await each(signUp, people))).toEqual(new Set([200]));
      expect(new Set(await each(forgot, people))).toEqual(new Set([200]));
      for (const ask of [signUp, forgot]) {
        const again = await each(
          ask,
          people.map(() => 'victim@italk.test'),
        );
        expect(again.filter((status) => status === 200)).toHaveLength(33);
        expect(again.filter((status) => status === 429)).toHaveLength(7);
      }
      const flood = await each(
        forgot,
        Array.from({ length: 300 }, (_, i) => `flood${i}@italk.test`),
      );
      expect(flood.filter((status) => status === 200)).toHaveLength(300 - 80);
    },
  );

  test('follows any number of valid links', async () => {
    const { id } = await verified('links@italk.test');
    const statuses = [];
    for (let i = 0; i < 55; i++) {
      const token = await makeLinkToken(guest, 'unlock', id);
      statuses.push((await send(production, '/unlock', { token }, { address: '198.51.100.78' })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await userOf('links@italk.test'))!.id).toBe(id);
  });
});
