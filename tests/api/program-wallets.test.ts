import { decodeJwt } from 'jose';
import { createSiweMessage } from 'viem/siwe';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import type { Web3Credentials } from '@supabase/auth-js';
import { describe, expect, test } from 'vitest';
import { walletProvider } from '#/features/accounts/openid/rules.ts';
import type { Claims } from '#/features/accounts/program-keys/commands.ts';
import { walletIssuer } from '#/features/accounts/wallets/rules.ts';
import { appCode, programPassword, programsOf, type Tokens } from '../support/programs.ts';
import { testServer, type Answer } from '../support/server.ts';

const site = 'https://app.example';
const server = await testServer({
  config: {
    mode: 'production',
    walletSignIn: true,
    programRedirects: ['com.example.app://signed-in', `${site}/signed-in`],
  },
});
const { db } = server.database;
const { somebody, client, send, signIn } = programsOf(server);

const newWallet = () => privateKeyToAccount(generatePrivateKey());
const codeIn = ({ json }: Answer) => (json as { code: string }).code;
const amrOf = (token: string) => decodeJwt<Claims>(token).amr.map(({ method }) => method);
const sessionsOf = (userId: string) =>
  db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute();

async function withWallet() {
  const person = await somebody();
  const wallet = newWallet();
  const { id: identityId } = await db
    .insertInto('linked_identities')
    .values({
      id: crypto.randomUUID(),
      user_id: person.id,
      provider: walletProvider,
      issuer: walletIssuer,
      subject: wallet.address,
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...person, wallet, identityId };
}

/** A wallet as browsers have it (EIP-1193). */
function injected(wallet: PrivateKeyAccount, chain = '0x1') {
  const request = ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    if (method === 'eth_requestAccounts') return Promise.resolve([wallet.address]);
    if (method === 'eth_chainId') return Promise.resolve(chain);
    const [raw] = params as [`0x${string}`];
    return wallet.signMessage({ message: { raw } });
  };
  return { request } as never;
}

let nonces = 0;
const newNonce = () => `nonce${(nonces += 1)}ofTheProgram`;

async function signed(
  wallet: PrivateKeyAccount,
  changes: Partial<Parameters<typeof createSiweMessage>[0]> = {},
) {
  const message = createSiweMessage({
    domain: 'app.example',
    uri: `${site}/`,
    address: wallet.address,
    version: '1',
    chainId: 1,
    nonce: newNonce(),
    issuedAt: new Date(),
    ...changes,
  });
  return { message, signature: await wallet.signMessage({ message }) };
}

const enter = (body: { message: string; signature: string }, chain = 'ethereum') =>
  send('POST', '/token?grant_type=web3', { body: { chain, ...body } });

describe('the published client', () => {
  test('signs in with a connected wallet, lists it, and disconnects it', async () => {
    const { id, email, wallet, identityId } = await withWallet();
    const auth = client();
    const credentials: Web3Credentials = {
      chain: 'ethereum',
      statement: 'Welcome to the app.',
      wallet: injected(wallet),
      options: { url: `${site}/signed-in` },
    };
    const { data, error } = await auth.signInWithWeb3(credentials);
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id, email });
    expect(amrOf(data.session!.access_token)).toEqual(['web3']);
    const { data: user } = await auth.getUser();
    expect(user.user!.app_metadata).toMatchObject({ providers: ['email', 'web3'] });
    expect(user.user!.identities).toMatchObject([
      { identity_id: identityId, id: wallet.address, provider: 'web3', user_id: id },
    ]);
    const [identity] = user.user!.identities!;
    expect((await auth.unlinkIdentity(identity!)).error, 'it confirms nothing').toMatchObject({
      code: 'reauthentication_needed',
    });
    expect((await auth.updateUser({ current_password: programPassword })).error).toBeNull();
    await auth.refreshSession();
    expect((await auth.unlinkIdentity(identity!)).error).toBeNull();
    const again = await client().signInWithWeb3(credentials);
    expect(again.error).toMatchObject({ code: 'user_not_found', status: 422 });
  });

  test('may send what the wallet signed, with a nonce and an expiry', async () => {
    const { id, wallet } = await withWallet();
    const { data, error } = await client().signInWithWeb3({
      chain: 'ethereum',
      wallet: injected(wallet),
      options: {
        url: site,
        signInWithEthereum: {
          chainId: 1,
          nonce: newNonce(),
          expirationTime: new Date(Date.now() + 60_000),
          notBefore: new Date(Date.now() - 1_000),
          requestId: '7',
          resources: ['https://app.example/terms'],
        },
      },
    });
    expect([error, data.user?.id]).toEqual([null, id]);
    const { message, signature } = await signed(wallet);
    const sent = await client().signInWithWeb3({ chain: 'ethereum', message, signature });
    expect(sent.data.user?.id).toBe(id);
  });

  test('gets a closed code for Solana, another chain and another site', async () => {
    const { id, wallet } = await withWallet();
    const solana = await client().signInWithWeb3({
      chain: 'solana',
      message: 'x',
      signature: new Uint8Array(64),
    });
    expect(solana.error).toMatchObject({
      code: 'validation_failed',
      status: 400,
      message: 'The request is invalid. (chain)',
    });
    for (const [chain, url] of [
      ['0x89', site],
      ['0x1', 'https://evil.example'],
      ['0x1', 'http://app.example'],
    ] as const) {
      const { error } = await client().signInWithWeb3({
        chain: 'ethereum',
        wallet: injected(wallet, chain),
        options: { url },
      });
      expect(error, url).toMatchObject({ code: 'validation_failed', status: 400 });
    }
    expect(await sessionsOf(id)).toEqual([]);
  });
});

describe('a signed message', () => {
  test('works once, even fifty times at once, and so does its nonce', async () => {
    const { id, wallet } = await withWallet();
    const nonce = newNonce();
    const body = await signed(wallet, { nonce });
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(id)).toHaveLength(1);
    expect(codeIn(await enter(await signed(wallet, { nonce, statement: 'Again.' })))).toBe(
      'validation_failed',
    );
    const another = await withWallet();
    expect((await enter(await signed(another.wallet, { nonce }))).status, 'another’s').toBe(200);
    const stored = JSON.stringify(await db.selectFrom('openid_requests').selectAll().execute());
    for (const secret of [nonce, wallet.address]) expect(stored).not.toContain(secret);
  });

  test('works once without a nonce', async () => {
    const { id, wallet } = await withWallet();
    const { message } = await signed(wallet);
    const bare = message.replace(/Nonce: \w+\n/, '');
    const body = { message: bare, signature: await wallet.signMessage({ message: bare }) };
    const statuses = await Promise.all([1, 2, 3].map(async () => (await enter(body)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(id)).toHaveLength(1);
  });

  test('is refused unless the address’s key signed it just now, for a registered site', async () => {
    const { id, wallet } = await withWallet();
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    const other = newWallet();
    const right = await signed(wallet);
    const forged: Record<string, { message: string; signature: string }> = {
      'another domain': await signed(wallet, { domain: 'evil.example' }),
      'another URI': await signed(wallet, { uri: 'https://evil.example/' }),
      'this site, which is no program': await signed(wallet, {
        domain: 'italk.test',
        uri: 'http://italk.test',
      }),
      'the app’s own scheme': await signed(wallet, {
        domain: 'app.example',
        uri: 'com.example.app://signed-in',
      }),
      'another chain': await signed(wallet, { chainId: 137 }),
      'an old one': await signed(wallet, { issuedAt: minutes(-11) }),
      'a future one': await signed(wallet, { issuedAt: minutes(2) }),
      'an expired one': await signed(wallet, { expirationTime: minutes(-1) }),
      'one for later': await signed(wallet, { notBefore: minutes(1) }),
      'another signer': { ...right, signature: await other.signMessage({ message: right.message }) },
      'another message': { ...right, message: (await signed(wallet)).message },
      'another address': {
        message: right.message.replace(wallet.address, other.address),
        signature: right.signature,
      },
      'a contract’s': { ...right, signature: `${right.signature}${'6492'.repeat(16)}` },
      'no signature': { ...right, signature: '0x' },
      'a giant message': { ...right, message: `${right.message}\nRequest ID: ${'x'.repeat(2_000)}` },
    };
    for (const [how, body] of Object.entries(forged)) {
      const answer = await enter(body);
      expect([how, answer.status, codeIn(answer)]).toEqual([how, 400, 'validation_failed']);
    }
    expect(await sessionsOf(id)).toEqual([]);
    expect((await enter(right)).status, 'the right one still works').toBe(200);
    expect(codeIn(await enter(await signed(other)))).toBe('user_not_found');
  });

  test('doesn’t stand for the second factor', async () => {
    await db
      .updateTable('feature_flags')
      .set({ enabled: true, scope: 'global' })
      .where('id', '=', 'two_factor_authentication')
      .execute();
    const { id, email, wallet } = await withWallet();
    const first = await signIn(email);
    await send('PUT', '/user', {
      token: first.access_token,
      body: { current_password: programPassword },
    });
    const renewed = await send('POST', '/token?grant_type=refresh_token', {
      body: { refresh_token: first.refresh_token },
    });
    const { access_token: fresh } = renewed.json as Tokens;
    const enrolled = await send('POST', '/factors', { token: fresh, body: { factor_type: 'totp' } });
    const { id: factorId, totp } = enrolled.json as { id: string; totp: { secret: string } };
    const body = { challenge_id: crypto.randomUUID(), code: appCode(totp.secret) };
    await send('POST', `/factors/${factorId}/verify`, { token: fresh, body });
    await db.updateTable('second_factors').set({ last_counter: 0 }).where('user_id', '=', id).execute();
    await db.deleteFrom('sessions').where('user_id', '=', id).execute();
    const message = await signed(wallet);
    const { access_token: token } = (await enter(message)).json as Tokens;
    expect(await sessionsOf(id)).toEqual([]);
    expect((await enter(message)).status, 'used up').toBe(400);
    expect(codeIn(await send('PUT', '/user', { token, body: { data: {} } }))).toBe('insufficient_aal');
    const code = { challenge_id: crypto.randomUUID(), code: appCode(totp.secret) };
    const passed = await send('POST', `/factors/${factorId}/verify`, { token, body: code });
    expect(amrOf((passed.json as Tokens).access_token)).toEqual(['web3', 'totp']);
  });

  test('opens no suspended account, and none that may not use programs', async () => {
    const { id, wallet } = await withWallet();
    await db.updateTable('profiles').set({ suspended_at: new Date() }).where('id', '=', id).execute();
    expect(codeIn(await enter(await signed(wallet)))).toBe('user_banned');
    await db.updateTable('profiles').set({ suspended_at: null }).where('id', '=', id).execute();
    const setFlag = (enabled: boolean) =>
      db.updateTable('feature_flags').set({ enabled }).where('id', '=', 'mobile_app_access').execute();
    await setFlag(false);
    expect((await enter(await signed(wallet))).status).toBe(404);
    await setFlag(true);
    expect((await enter(await signed(wallet))).status).toBe(200);
  });
});

test('is closed where wallets are off, or no program has a site', async () => {
  const { wallet } = await withWallet();
  for (const config of [
    { walletSignIn: false, programRedirects: [site] },
    { walletSignIn: true, programRedirects: ['com.example.app://signed-in'] },
  ]) {
    const other = programsOf(await testServer({ config: { mode: 'production', ...config } }));
    const body = { chain: 'ethereum', ...(await signed(wallet)) };
    const answer = await other.send('POST', '/token?grant_type=web3', { body });
    expect(codeIn(answer)).toBe('provider_disabled');
  }
});
