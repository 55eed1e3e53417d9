import { Secret, TOTP } from 'otpauth';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { parseSiweMessage } from 'viem/siwe';
import { beforeEach, describe, expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../../tests/support/identity.ts';
import { freshSession, type Person } from '../../../../tests/support/people.ts';
import { changeAddress } from '../address-change/commands.ts';
import { makeLinkToken, requireFresh } from '../commands.ts';
import { walletProvider } from '../openid/rules.ts';
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/commands.ts';
import { walletIssuer } from '../wallets/rules.ts';

const database = await testDatabase({ poolSize: 8 });
const { db, as, runJobs, readMails, setNow } = database;
const { guest, production, send, signIn, actorOf, verified, entries, freshAddress } = identitiesOf(database, {
  walletSignIn: true,
});
const { production: withoutWallets } = identitiesOf(database);
const system = as({ kind: 'system' });

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db
    .updateTable('feature_flags')
    .set({ enabled: true, scope: 'global' })
    .where('id', '=', 'two_factor_authentication')
    .execute();
});

const newWallet = () => privateKeyToAccount(generatePrivateKey());
let people = 0;

/** Someone whose wallet is connected. */
async function withWallet() {
  const email = `by.wallet.${(people += 1)}@grace.test`;
  const { id, cookie } = await verified(email);
  const wallet = newWallet();
  await db
    .insertInto('linked_identities')
    .values({
      id: guest.newId(),
      user_id: id,
      provider: walletProvider,
      issuer: walletIssuer,
      subject: wallet.address,
      created_at: new Date(guest.now().epochMilliseconds),
    })
    .execute();
  return { id, email, wallet, person: (await actorOf(production, cookie)) as Person };
}

async function asked(address: string) {
  const answer = await send(production, '/request-wallet', { address });
  return { ...answer, message: answer.body.message as string };
}

const come = (message: string, signature: string, cookie: string, more: object = {}) =>
  send(production, '/sign-in/wallet', { message, signature, ...more }, { cookie });

/** The whole way of a browser with a wallet. */
async function through(wallet: PrivateKeyAccount) {
  const { message, cookie } = await asked(wallet.address);
  return come(message, await wallet.signMessage({ message }), cookie);
}

const sessionsOf = (userId: string) =>
  db.selectFrom('sessions').select(['id', 'identity_id']).where('user_id', '=', userId).execute();

const expired = { status: 412, body: { reason: 'provider_expired' }, cookies: [] };
const refused = { status: 401, body: { reason: 'wallet_refused' }, cookies: [] };
const unknown = { status: 403, body: { reason: 'wallet_unknown' }, cookies: [] };

describe('a wallet', () => {
  test('is asked to sign a message for this site only, bound to the browser by a cookie', async () => {
    const { address } = newWallet();
    const { message, cookie, cookies } = await asked(address.toLowerCase());
    expect(parseSiweMessage(message)).toEqual({
      address,
      domain: 'italk.test',
      uri: 'https://italk.test',
      version: '1',
      chainId: 1,
      nonce: expect.stringMatching(/^[\da-f]{48}$/) as string,
      statement: 'Sign in. This is free and sends no transaction.',
      issuedAt: new Date('2026-03-02T12:00:00Z'),
      expirationTime: new Date('2026-03-02T12:10:00Z'),
    });
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Secure-italk\.provider\.[\w-]{12}=[\w-]{32}; Max-Age=600; Path=\/api\/auth; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const stored = JSON.stringify(await db.selectFrom('openid_requests').selectAll().execute());
    for (const secret of [parseSiweMessage(message).nonce, address, cookie.split('=')[1]])
      expect(stored).not.toContain(secret);
  });

  test('signs in to the account that it’s connected to, logs it and emails about the new device', async () => {
    const { id, email, wallet } = await withWallet();
    const entered = await through(wallet);
    expect(entered).toMatchObject({ status: 200, body: { signedIn: true } });
    const actor = await actorOf(production, entered.cookie);
    expect(actor).toMatchObject({ id, role: 'client' });
    await expect(requireFresh(as(actor)), 'it confirms nothing').rejects.toMatchObject({
      reason: 'reauthentication_required',
    });
    expect((await entries('signed_in', id)).at(-1)).toMatchObject({ success: true, actor_id: id });
    const linked = await db.selectFrom('linked_identities').selectAll().where('user_id', '=', id).execute();
    expect(linked).toMatchObject([{ used_at: new Date('2026-03-02T12:00:00Z'), email: null }]);
    expect((await sessionsOf(id)).map(({ identity_id }) => identity_id)).toContain(linked[0]!.id);
    expect(entered.cookies.at(-1)).toMatch(/^__Secure-italk\.provider\.[\w-]{12}=; Max-Age=0;/);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ text_body }) => text_body).join()).toContain('signed in to from a new device');
  });

  test('neither signs in nor creates an account if it isn’t connected, and learns nothing of others', async () => {
    const before = await db.selectFrom('users').select('id').execute();
    const stranger = newWallet();
    expect(await through(stranger)).toMatchObject({ ...unknown, body: { reason: 'wallet_unknown' } });
    expect(await db.selectFrom('users').select('id').execute()).toEqual(before);
    // Asking says the same for every address, and only its key gets further.
    const { wallet } = await withWallet();
    const [theirs, own] = [await asked(wallet.address), await asked(stranger.address)];
    const neutral = (message: string) => message.replace(/0x\w+/, '').replace(/Nonce: \w+/, '');
    expect(neutral(theirs.message)).toBe(neutral(own.message));
    const signature = await stranger.signMessage({ message: theirs.message });
    expect(await come(theirs.message, signature, theirs.cookie)).toMatchObject(refused);
  });

  test('isn’t found where the site offers none', async () => {
    const { wallet } = await withWallet();
    const { message, cookie } = await asked(wallet.address);
    const signature = await wallet.signMessage({ message });
    for (const [path, body] of [
      ['/request-wallet', { address: wallet.address }],
      ['/request-wallet', {}],
      ['/sign-in/wallet', { message, signature }],
    ] as const)
      expect(await send(withoutWallets, path, body, { cookie })).toMatchObject({
        status: 404,
        body: { reason: 'no_such_route' },
      });
  });
});

/** Half the order, and so on (SEC 2, section 2.4.1). */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const hex = (value: bigint) => value.toString(16).padStart(64, '0');

/** The same signature in its other form: `n - s` with the other parity. */
function malleable(signature: string): string {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`);
  return `${signature.slice(0, 66)}${hex(s)}${signature.endsWith('1b') ? '1c' : '1b'}`;
}

describe('a stranger', () => {
  test('can’t use a message twice, in another browser, late, or with another’s cookie', async () => {
    const { id, wallet } = await withWallet();
    const { message, cookie } = await asked(wallet.address);
    const other = await asked(wallet.address);
    const signature = await wallet.signMessage({ message });
    const [name] = cookie.split('=');
    const [, secret] = other.cookie.split('=');
    for (const jar of ['', other.cookie, `${cookie}x`, `${name}=`, `${name}=${secret}`])
      expect(await come(message, signature, jar), jar).toMatchObject(expired);
    expect((await come(message, signature, cookie)).status).toBe(200);
    expect(await come(message, signature, cookie)).toMatchObject(expired);
    expect(await sessionsOf(id)).toHaveLength(2);
    setNow('2026-03-02T12:10:00Z');
    const late = await wallet.signMessage({ message: other.message });
    expect(await come(other.message, late, other.cookie)).toMatchObject(expired);
  });

  test('wins one session with fifty parallel tries', async () => {
    const { id, wallet } = await withWallet();
    const { message, cookie } = await asked(wallet.address);
    const signature = await wallet.signMessage({ message });
    const answers = await Promise.all(Array.from({ length: 50 }, () => come(message, signature, cookie)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const one of answers.filter(({ status }) => status !== 200)) expect(one).toMatchObject(expired);
    expect(await sessionsOf(id)).toHaveLength(2);
  });

  test.each<[string, (message: string, other: string) => string]>([
    ['domain', (message) => message.replace('italk.test wants', 'evil.test wants')],
    ['URI', (message) => message.replace('https://italk.test', 'https://evil.test')],
    ['path', (message) => message.replace('https://italk.test', 'https://italk.test/')],
    ['chain', (message) => message.replace('Chain ID: 1', 'Chain ID: 137')],
    ['version', (message) => message.replace('Version: 1', 'Version: 2')],
    ['statement', (message) => message.replace('Sign in.', 'Sign in to win.')],
    ['start', (message) => message.replace('12:00:00', '12:05:00')],
    ['end', (message) => message.replace('12:10:00', '23:59:00')],
    ['nonce', (message) => message.replace(/Nonce: \w+/, `Nonce: ${'a'.repeat(48)}`)],
    ['address', (message, other) => message.replace(/0x\w{40}/, other)],
    ['spelling of the address', (message) => message.replace(/0x\w{40}/, (found) => found.toLowerCase())],
    ['line', (message) => `${message}\nRequest ID: 1`],
    ['end of line', (message) => `${message}\n`],
  ])('can’t have another %s signed', async (_, change) => {
    const { id, wallet } = await withWallet();
    const { message, cookie } = await asked(wallet.address);
    const changed = change(message, newWallet().address);
    expect(changed).not.toBe(message);
    const signature = await wallet.signMessage({ message: changed });
    const renamed = cookie.replace(/[\w-]{12}=/, `${digest(changed).slice(0, 12)}=`);
    for (const jar of [cookie, renamed]) expect(await come(changed, signature, jar)).toMatchObject(expired);
    expect(await come(message, signature, cookie), 'nor send the right one with it').toMatchObject(refused);
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  test.each<[string, string, (signature: string, wallet: PrivateKeyAccount) => string | Promise<string>]>([
    ['by another key', 'wallet_refused', () => newWallet().signMessage({ message: 'x' })],
    ['of the bare hash', 'wallet_refused', (_, wallet) => wallet.sign({ hash: `0x${'1'.repeat(64)}` })],
    ['in its other form', 'wallet_refused', malleable],
    ['with another recovery id', 'wallet_refused', (signature) => `${signature.slice(0, 130)}00`],
    ['with the chain in it', 'wallet_refused', (signature) => `${signature.slice(0, 130)}25`],
    ['without its last byte', 'wallet_refused', (signature) => signature.slice(0, 130)],
    ['that is empty', 'wallet_refused', () => '0x'],
    ['of nothing', 'wallet_refused', () => `0x${'0'.repeat(128)}1b`],
    ['out of range', 'wallet_refused', (signature) => `0x${hex(order)}${signature.slice(66)}`],
    ['of a contract', 'wallet_contract', (signature) => `${signature}${'6492'.repeat(16)}`],
    [
      'of a contract, in code',
      'wallet_contract',
      (signature) => `0x${'00'.repeat(500)}${signature.slice(2)}`,
    ],
  ])('gets nowhere with a signature %s, which uses the message up', async (_, reason, change) => {
    const { id, wallet } = await withWallet();
    const { message, cookie } = await asked(wallet.address);
    const signature = await wallet.signMessage({ message });
    const answer = await come(message, await change(signature, wallet), cookie);
    expect(answer).toMatchObject({
      status: reason === 'wallet_contract' ? 400 : 401,
      body: { reason },
      cookies: [],
    });
    expect(await come(message, signature, cookie)).toMatchObject(expired);
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  test('gains nothing with giant or malformed input', async () => {
    const { wallet } = await withWallet();
    const { message, cookie } = await asked(wallet.address);
    const signature = await wallet.signMessage({ message });
    for (const body of [
      { message: 'x'.repeat(2_001), signature },
      { message, signature: `0x${'a'.repeat(10_000)}` },
      { message, signature: `${signature}\n` },
      { message, signature: 7 },
      { message: [message], signature },
      { message },
    ])
      expect((await send(production, '/sign-in/wallet', body, { cookie })).status).toBe(400);
    for (const address of [
      '',
      '0x',
      `0x${'g'.repeat(40)}`,
      `${wallet.address}\n`,
      `${wallet.address} `,
      null,
    ])
      expect((await send(production, '/request-wallet', { address })).status).toBe(400);
    for (const odd of ['\ud800', message.replaceAll('\n', '\r\n'), 'a\u0000'])
      expect(await come(odd, signature, cookie)).toMatchObject(expired);
  });

  test('has fifty wrong tries per network', async () => {
    const address = freshAddress();
    const statuses: number[] = [];
    for (let time = 0; time < 52; time += 1) {
      const input = { message: 'invented', signature: '0x' };
      statuses.push((await send(production, '/sign-in/wallet', input, { address })).status);
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(50);
  });
});

describe('an account', () => {
  test('refuses suspended, held, unverified and deleted accounts', async () => {
    const suspended = await withWallet();
    const at = new Date('2026-03-02T12:00:01Z');
    await db.updateTable('profiles').set({ suspended_at: at }).where('id', '=', suspended.id).execute();
    expect(await through(suspended.wallet)).toMatchObject({
      status: 403,
      body: { reason: 'account_suspended' },
      cookies: [],
    });
    expect((await entries('signed_in', suspended.id)).at(-1)).toMatchObject({
      success: false,
      details: { reason: 'account_suspended' },
    });
    const held = await withWallet();
    await transact(system, (tx) => changeAddress(tx, { userId: held.id, to: `${held.id}@new.test` }));
    expect((await through(held.wallet)).body).toMatchObject({ reason: 'address_held' });
    const open = await withWallet();
    await db.updateTable('users').set({ email_verified: false }).where('id', '=', open.id).execute();
    expect((await through(open.wallet)).body).toMatchObject({ reason: 'email_unverified' });
    const deleted = await withWallet();
    await db.updateTable('profiles').set({ delete_after: at }).where('id', '=', deleted.id).execute();
    setNow('2026-03-02T12:00:02Z');
    expect(await through(deleted.wallet)).toMatchObject(expired);
  });

  test('still asks for its second factor, in the same browser, once', async () => {
    const shown = ({ secret }: { secret: string }) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: guest.now().epochMilliseconds });
    const { id, wallet, person } = await withWallet();
    const own = as(await freshSession(db, person));
    const setUp = await beginSecondFactor(own, { password });
    await confirmSecondFactor(own, { code: shown(setUp) });
    setNow('2026-03-02T12:01:00Z');
    const before = await sessionsOf(id);
    const { message, cookie } = await asked(wallet.address);
    const signature = await wallet.signMessage({ message });
    const first = await come(message, signature, cookie);
    expect(first).toMatchObject({ status: 200, body: { signedIn: false, secondStep: { setUp: null } } });
    expect(first.cookies.join()).not.toContain('session_token');
    expect((await come(message, signature, cookie, { code: '000000' })).status).toBe(400);
    expect(await come(message, signature, '', { code: shown(setUp) })).toMatchObject(expired);
    expect(await sessionsOf(id)).toEqual(before);
    expect((await come(message, signature, cookie, { code: shown(setUp) })).body).toMatchObject({
      signedIn: true,
    });
    expect(await come(message, signature, cookie, { code: shown(setUp) })).toMatchObject(expired);
  });

  test('loses its wallets when recovered by email, but not when its password changes', async () => {
    const { id, email, wallet } = await withWallet();
    const { cookie } = await signIn(production, email);
    const changed = { password, newPassword: 'another-room-43' };
    expect((await send(production, '/change-password', changed, { cookie })).status).toBe(200);
    expect((await through(wallet)).status).toBe(200);
    const { message, cookie: jar } = await asked(wallet.address);
    const token = await makeLinkToken(guest, 'reset-password', id);
    await send(production, '/reset-password', { token, newPassword: 'a-third-room-44' });
    expect(await come(message, await wallet.signMessage({ message }), jar)).toMatchObject(unknown);
    const bySession = (await sessionsOf(id)).map(({ identity_id }) => identity_id);
    expect(bySession, 'only the reset’s own').toEqual([null]);
  });

  test('of an administrator without a password stays closed', async () => {
    const { id, wallet } = await withWallet();
    await db.updateTable('users').set({ email: 'chief@italk.test' }).where('id', '=', id).execute();
    await db.deleteFrom('credentials').where('user_id', '=', id).execute();
    expect(await through(wallet)).toMatchObject({
      status: 403,
      body: { reason: 'provider_password_first', data: { label: 'your wallet' } },
    });
  });
});
