import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { parseSiweMessage } from 'viem/siwe';
import { beforeEach, describe, expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { appUrl, identitiesOf } from '../../../../tests/support/identity.ts';
import { freshSession, type Person } from '../../../../tests/support/people.ts';
import { changeAddress, undoAddressChange } from '../address-change/commands.ts';
import { removePasskey } from '../passkeys/commands.ts';
import { beginWallet, connectWallet, ownIdentities, removeIdentity } from './commands.ts';

const database = await testDatabase({ poolSize: 8 });
const { db, as, runJobs, readMails, setNow } = database;
const { production, send, signIn, actorOf, verified, entries } = identitiesOf(database, {
  walletSignIn: true,
});
const offered = { providers: [], walletSignIn: true };

beforeEach(() => setNow('2026-03-02T12:00:00Z'));

const newWallet = () => privateKeyToAccount(generatePrivateKey());
let people = 0;
async function somebody() {
  const email = `has.wallet.${(people += 1)}@grace.test`;
  const { id, cookie } = await verified(email);
  const person = (await actorOf(production, cookie)) as Person;
  return { id, email, person, fresh: await freshSession(db, person), wallet: newWallet() };
}

const begun = async (person: Person, { address }: PrivateKeyAccount) =>
  (await beginWallet(as(person), { offered, appUrl }, { address })).message;

async function connect(person: Person, wallet: PrivateKeyAccount) {
  const message = await begun(person, wallet);
  return connectWallet(as(person), offered, { message, signature: await wallet.signMessage({ message }) });
}

async function signInWith(wallet: PrivateKeyAccount) {
  const { body, cookie } = await send(production, '/request-wallet', { address: wallet.address });
  const message = body.message as string;
  const signature = await wallet.signMessage({ message });
  return send(production, '/sign-in/wallet', { message, signature }, { cookie });
}

const expectRefused = (work: Promise<unknown>, reason: string) =>
  expect(work).rejects.toMatchObject({ reason });

describe('connecting a wallet', () => {
  test('lets it sign in from then on, and says so in the log and by email', async () => {
    const { id, email, person, fresh, wallet } = await somebody();
    expect(await signInWith(wallet)).toMatchObject({ status: 403, body: { reason: 'wallet_unknown' } });
    expect(await connect(fresh, wallet)).toEqual([
      {
        id: expect.any(String) as string,
        label: `Wallet ${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`,
        provider: 'web3',
        email: null,
        createdAt: '2026-03-02T12:00:00.000Z',
        usedAt: null,
      },
    ]);
    expect(await entries('identity_connected', id)).toMatchObject([{ actor_id: id, success: true }]);
    expect(await actorOf(production, (await signInWith(wallet)).cookie)).toMatchObject({ id });
    expect(await ownIdentities(as(person), offered)).toMatchObject([{ usedAt: '2026-03-02T12:00:00.000Z' }]);
    expect(await ownIdentities(as(person), { providers: [] }), 'no longer offered').toMatchObject([
      { provider: null },
    ]);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ text_body }) => text_body).join()).toContain('A new way to sign in');
  });

  test('asks with a statement of its own', async () => {
    const { fresh, wallet } = await somebody();
    expect(parseSiweMessage(await begun(fresh, wallet))).toMatchObject({
      domain: 'italk.test',
      statement: 'Connect this wallet to my account. This is free and sends no transaction.',
    });
  });

  test('needs a recent confirmation, before and after signing', async () => {
    const { person, fresh, wallet } = await somebody();
    await expectRefused(begun(person, wallet), 'reauthentication_required');
    const message = await begun(fresh, wallet);
    const signed = { message, signature: await wallet.signMessage({ message }) };
    await db
      .updateTable('sessions')
      .set({ reauthenticated_at: null })
      .where('id', '=', fresh.sessionId)
      .execute();
    await expectRefused(connectWallet(as(fresh), offered, signed), 'reauthentication_required');
    expect(await ownIdentities(as(person), offered)).toEqual([]);
  });

  test('accepts the message only in the session that asked, and once, right or wrong', async () => {
    const [mine, theirs] = [await somebody(), await somebody()];
    const message = await begun(mine.fresh, mine.wallet);
    const signed = { message, signature: await mine.wallet.signMessage({ message }) };
    const expired = (person: Person, given = signed) =>
      expectRefused(connectWallet(as(person), offered, given), 'provider_expired');
    // A stranger's wallet in a victim's session would open the victim's account to the stranger.
    await expired(theirs.fresh);
    await expired(await freshSession(db, mine.person));
    await expired(mine.fresh, { ...signed, message: message.replace('Chain ID: 1', 'Chain ID: 5') });
    expect(await connectWallet(as(mine.fresh), offered, signed)).toHaveLength(1);
    await expired(mine.fresh);

    const own = await begun(theirs.fresh, theirs.wallet);
    const forged = { message: own, signature: await mine.wallet.signMessage({ message: own }) };
    await expectRefused(connectWallet(as(theirs.fresh), offered, forged), 'wallet_refused');
    await expired(theirs.fresh, {
      message: own,
      signature: await theirs.wallet.signMessage({ message: own }),
    });
    expect(await ownIdentities(as(theirs.person), offered)).toEqual([]);
  });

  test('and signing in don’t accept each other’s messages', async () => {
    const { fresh, wallet } = await somebody();
    const asked = await send(production, '/request-wallet', { address: wallet.address });
    const forSignIn = asked.body.message as string;
    await expectRefused(
      connectWallet(as(fresh), offered, {
        message: forSignIn,
        signature: await wallet.signMessage({ message: forSignIn }),
      }),
      'provider_expired',
    );
    const message = await begun(fresh, wallet);
    const signature = await wallet.signMessage({ message });
    const name = `__Secure-italk.provider.${digest(message).slice(0, 12)}`;
    for (const cookie of [asked.cookie, `${name}=${fresh.sessionId}`])
      expect(await send(production, '/sign-in/wallet', { message, signature }, { cookie })).toMatchObject({
        status: 412,
      });
  });

  test('refuses a wallet of another account, even in parallel, and a second one', async () => {
    const [mine, theirs, third] = [await somebody(), await somebody(), await somebody()];
    await connect(theirs.fresh, theirs.wallet);
    await expectRefused(connect(mine.fresh, theirs.wallet), 'identity_taken');
    expect(await ownIdentities(as(mine.person), offered)).toEqual([]);
    const both = await Promise.allSettled([mine, third].map(({ fresh }) => connect(fresh, third.wallet)));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expectRefused(connect(theirs.fresh, newWallet()), 'provider_connected');
  });

  test('isn’t found where the site offers none', async () => {
    const { fresh, wallet } = await somebody();
    const off = { providers: [] };
    await expectRefused(
      beginWallet(as(fresh), { offered: off, appUrl }, { address: wallet.address }),
      'no_such_route',
    );
    const message = await begun(fresh, wallet);
    const signed = { message, signature: await wallet.signMessage({ message }) };
    await expectRefused(connectWallet(as(fresh), off, signed), 'no_such_route');
  });
});

describe('disconnecting a wallet', () => {
  test('ends the way in and the sessions that it opened, and frees the wallet', async () => {
    const { id, email, fresh, wallet } = await somebody();
    const [identity] = await connect(fresh, wallet);
    const entered = await signInWith(wallet);
    expect(await removeIdentity(as(fresh), offered, { id: identity!.id })).toEqual([]);
    expect(await actorOf(production, entered.cookie)).toEqual({ kind: 'guest' });
    expect(await signInWith(wallet)).toMatchObject({ body: { reason: 'wallet_unknown' } });
    expect(await actorOf(production, (await signIn(production, email)).cookie)).toMatchObject({ id });
    expect(await entries('identity_disconnected', id)).toHaveLength(1);
    expect(await connect((await somebody()).fresh, wallet)).toHaveLength(1);
  });

  test('needs a recent confirmation, and doesn’t find another person’s', async () => {
    const [mine, theirs] = [await somebody(), await somebody()];
    const [identity] = await connect(theirs.fresh, theirs.wallet);
    const remove = (person: Person) => removeIdentity(as(person), offered, { id: identity!.id });
    await expectRefused(remove(theirs.person), 'reauthentication_required');
    await expectRefused(remove(mine.fresh), 'identity');
  });

  test('never takes the last way in, and a wallet counts as one only while it’s offered', async () => {
    const { id, fresh, wallet } = await somebody();
    const [identity] = await connect(fresh, wallet);
    await db.deleteFrom('credentials').where('user_id', '=', id).execute();
    await db.updateTable('profiles').set({ role: 'doctor' }).where('id', '=', id).execute();
    await expectRefused(removeIdentity(as(fresh), offered, { id: identity!.id }), 'last_way_in');
    const passkey = crypto.randomUUID();
    await db
      .insertInto('passkeys')
      .values({
        id: passkey,
        user_id: id,
        name: 'Phone',
        credential_id: passkey,
        user_handle: '',
        public_key: '',
        backup_eligible: false,
        backed_up: false,
        created_at: new Date(),
      })
      .execute();
    await expectRefused(removePasskey(as(fresh), { providers: [] }, { id: passkey }), 'last_way_in');
    expect(await removePasskey(as(fresh), offered, { id: passkey })).toEqual([]);
  });

  test('happens when a change of address is undone, if it was connected since', async () => {
    const { id, person, wallet } = await somebody();
    const changed = await transact(as({ kind: 'system' }), (tx) =>
      changeAddress(tx, { userId: id, to: `${id}@new.test` }),
    );
    setNow('2026-03-02T13:00:00Z');
    await connect(await freshSession(db, person), wallet);
    expect(await signInWith(wallet)).toMatchObject({ body: { reason: 'address_held' } });
    const { token } = changed as Extract<typeof changed, { kind: 'held' }>;
    await undoAddressChange(as({ kind: 'guest' }), token!);
    expect(await signInWith(wallet)).toMatchObject({ body: { reason: 'wallet_unknown' } });
  });
});
