import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { digest } from '#/platform/tokens.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { appUrl, identitiesOf, password } from '../../../../tests/support/identity.ts';
import { openTestProvider, type Answered } from '../../../../tests/support/openid.ts';
import { freshSession, type Person } from '../../../../tests/support/people.ts';
import { transact } from '#/platform/db/transact.ts';
import { makeLinkToken, setPassword } from '../commands.ts';
import { openIdClient, type Offered } from '../openid/commands.ts';
import { beginIdentity, connectIdentity, ownIdentities, removeIdentity } from './commands.ts';

const church = await openTestProvider();
const staff = await openTestProvider({ id: 'staff', label: 'Staff', domains: ['grace.test'] });
afterAll(() => Promise.all([church.close(), staff.close()]));

const openIdProviders = [church.config, staff.config];
const database = await testDatabase({ poolSize: 8 });
const { db, as, runJobs, readMails, setNow } = database;
const { guest, production, send, signIn, actorOf, verified, userOf, entries } = identitiesOf(database, {
  openIdProviders,
});
const client = openIdClient({ providers: openIdProviders, appUrl, secret: 'x'.repeat(40) });

beforeEach(() => setNow('2026-03-02T12:00:00Z'));

let people = 0;
async function somebody() {
  const email = `connects.${(people += 1)}@grace.test`;
  const { id, cookie } = await verified(email);
  const person = (await actorOf(production, cookie)) as Person;
  return { id, email, person, fresh: await freshSession(db, person), subject: `subject-${people}` };
}

async function begun(person: Person, provider = 'church') {
  return (await beginIdentity(as(person), client, { provider })).continueAt;
}

async function connect(person: Person, answered: Answered, provider = 'church') {
  const at = provider === 'church' ? church : staff;
  const answer = at.visit(await begun(person, provider), answered);
  return connectIdentity(as(person), client, { provider, answer });
}

async function signInWith(answered: Answered) {
  const { body, cookie } = await send(production, '/request-provider', { provider: 'church', next: '/home' });
  const answer = church.visit(body.continueAt as string, answered);
  return send(production, '/sign-in/provider', { provider: 'church', answer }, { cookie });
}

const expectRefused = (work: Promise<unknown>, reason: string) =>
  expect(work).rejects.toMatchObject({ reason });

describe('connecting', () => {
  test('lets an account with a password sign in through a provider, and says so by email', async () => {
    const { id, email, person, fresh, subject } = await somebody();
    const views = await connect(fresh, { subject, email: 'other@elsewhere.test', emailVerified: false });
    expect(views).toEqual([
      {
        id: expect.any(String) as string,
        label: 'Grace Church',
        provider: 'church',
        email: 'other@elsewhere.test',
        createdAt: '2026-03-02T12:00:00.000Z',
        usedAt: null,
      },
    ]);
    expect(await entries('identity_connected', id)).toMatchObject([{ actor_id: id, success: true }]);
    const entered = await signInWith({ subject, email: null });
    expect(await actorOf(production, entered.cookie)).toMatchObject({ id });
    expect(await ownIdentities(as(person), client)).toMatchObject([
      { email: 'other@elsewhere.test', usedAt: '2026-03-02T12:00:00.000Z' },
    ]);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ text_body }) => text_body).join()).toContain('at another service, was connected');
  });

  test('leaves journals and private notes locked, like every sign-in without a password', async () => {
    const { id, fresh, subject } = await somebody();
    await connect(fresh, { subject });
    await signInWith({ subject });
    const opened = await db
      .selectFrom('sessions')
      .select('author_key')
      .where('user_id', '=', id)
      .where('identity_id', 'is not', null)
      .execute();
    expect(opened).toEqual([{ author_key: null }]);
  });

  test('needs a recent confirmation, before and after the provider', async () => {
    const { person, fresh, subject } = await somebody();
    await expectRefused(begun(person), 'reauthentication_required');
    const answer = church.visit(await begun(fresh), { subject });
    await db
      .updateTable('sessions')
      .set({ reauthenticated_at: null })
      .where('id', '=', fresh.sessionId)
      .execute();
    await expectRefused(
      connectIdentity(as(fresh), client, { provider: 'church', answer }),
      'reauthentication_required',
    );
  });

  test('stops if the account is recovered meanwhile', async () => {
    const { id, person, fresh, subject } = await somebody();
    const answer = church.visit(await begun(fresh), { subject });
    const [provider] = client.providers;
    const slow: Offered = {
      providers: [
        {
          ...provider!,
          prove: async (state, sent) => {
            const proof = await provider!.prove(state, sent);
            await transact(as({ kind: 'system' }), (tx) => setPassword(tx, id, 'another'));
            return proof;
          },
        },
      ],
    };
    await expectRefused(
      connectIdentity(as(fresh), slow, { provider: 'church', answer }),
      'reauthentication_required',
    );
    expect(await ownIdentities(as(person), client)).toEqual([]);
  });

  test('accepts the answer only in the session that asked, and once', async () => {
    const [mine, theirs] = [await somebody(), await somebody()];
    const answer = church.visit(await begun(mine.fresh), { subject: mine.subject });
    const input = { provider: 'church', answer };
    // A stranger's answer in a victim's session would open the victim's account to the stranger.
    await expectRefused(connectIdentity(as(theirs.fresh), client, input), 'provider_expired');
    const elsewhere = await freshSession(db, mine.person);
    await expectRefused(connectIdentity(as(elsewhere), client, input), 'provider_expired');
    await expectRefused(
      connectIdentity(as(mine.fresh), client, { ...input, provider: 'staff' }),
      'provider_expired',
    );
    expect(await connectIdentity(as(mine.fresh), client, input)).toHaveLength(1);
    await expectRefused(connectIdentity(as(mine.fresh), client, input), 'provider_expired');
  });

  test('and signing in don’t accept each other’s answers', async () => {
    const { fresh, subject } = await somebody();
    const asked = await send(production, '/request-provider', { provider: 'church', next: '/home' });
    const forSignIn = church.visit(asked.body.continueAt as string, { subject });
    await expectRefused(
      connectIdentity(as(fresh), client, { provider: 'church', answer: forSignIn }),
      'provider_expired',
    );
    const forConnecting = church.visit(await begun(fresh), { subject });
    const state = new URLSearchParams(forConnecting).get('state')!;
    const name = `__Secure-italk.provider.${digest(state).slice(0, 12)}`;
    for (const cookie of [asked.cookie, `${name}=${fresh.sessionId}`]) {
      const input = { provider: 'church', answer: forConnecting };
      expect(await send(production, '/sign-in/provider', input, { cookie })).toMatchObject({ status: 412 });
    }
  });

  test('refuses an identity of another account, even in parallel', async () => {
    const [mine, theirs, third] = [await somebody(), await somebody(), await somebody()];
    await connect(theirs.fresh, { subject: theirs.subject });
    await expectRefused(connect(mine.fresh, { subject: theirs.subject }), 'identity_taken');
    expect(await ownIdentities(as(mine.person), client)).toEqual([]);
    const both = await Promise.allSettled(
      [mine, third].map(({ fresh }) => connect(fresh, { subject: third.subject })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('takes one identity per provider, and only of its domains', async () => {
    const { fresh, subject } = await somebody();
    await expectRefused(connect(fresh, { subject, email: 'ruth@gmail.test' }, 'staff'), 'provider_domain');
    await connect(fresh, { subject });
    await expectRefused(begun(fresh), 'provider_connected');
    await expectRefused(begun(fresh, 'unknown'), 'provider');
  });
});

describe('disconnecting', () => {
  test('ends the way in and the other sessions that it opened, and says so by email', async () => {
    const { id, email, fresh, subject } = await somebody();
    const [identity] = await connect(fresh, { subject });
    const entered = await signInWith({ subject });
    expect(await removeIdentity(as(fresh), client, { id: identity!.id })).toEqual([]);
    expect(await actorOf(production, entered.cookie)).toEqual({ kind: 'guest' });
    expect(await actorOf(production, (await signIn(production, email)).cookie)).toMatchObject({ id });
    expect(await signInWith({ subject, email })).toMatchObject({
      status: 409,
      body: { reason: 'provider_account_exists' },
    });
    expect(await entries('identity_disconnected', id)).toHaveLength(1);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ text_body }) => text_body).join()).toContain('at another service, was disconnected');
  });

  test('needs a recent confirmation, and doesn’t find another person’s', async () => {
    const [mine, theirs] = [await somebody(), await somebody()];
    const [identity] = await connect(theirs.fresh, { subject: theirs.subject });
    await expectRefused(
      removeIdentity(as(theirs.person), client, { id: identity!.id }),
      'reauthentication_required',
    );
    await expectRefused(removeIdentity(as(mine.fresh), client, { id: identity!.id }), 'identity');
  });

  test('never takes the last way in', async () => {
    const { id, person, fresh, subject } = await somebody();
    const [identity] = await connect(fresh, { subject });
    await db.deleteFrom('credentials').where('user_id', '=', id).execute();
    await db.updateTable('profiles').set({ role: 'doctor' }).where('id', '=', id).execute();
    await expectRefused(removeIdentity(as(fresh), client, { id: identity!.id }), 'last_way_in');
    await db
      .insertInto('linked_identities')
      .values({
        id: randomUUID(),
        user_id: id,
        provider: 'former',
        issuer: 'https://former.test',
        subject,
        email: null,
        created_at: new Date(),
        used_at: null,
      })
      .execute();
    await expectRefused(removeIdentity(as(fresh), client, { id: identity!.id }), 'last_way_in');
    await db
      .deleteFrom('linked_identities')
      .where('user_id', '=', id)
      .where('provider', '=', 'former')
      .execute();
    // Clients without a password sign in by emailed link.
    await db.updateTable('profiles').set({ role: 'client' }).where('id', '=', id).execute();
    expect(await removeIdentity(as(fresh), client, { id: identity!.id })).toEqual([]);
    expect(await ownIdentities(as(person), client)).toEqual([]);
  });

  test('happens to all when the account is recovered by email, but not when its password is changed', async () => {
    const { id, email, fresh, subject } = await somebody();
    await connect(fresh, { subject });
    const { cookie } = await signIn(production, email);
    const changed = { password, newPassword: 'another-room-43' };
    expect((await send(production, '/change-password', changed, { cookie })).status).toBe(200);
    expect((await signInWith({ subject })).status).toBe(200);
    const token = await makeLinkToken(guest, 'reset-password', id);
    await send(production, '/reset-password', { token, newPassword: 'a-third-room-44' });
    expect((await signInWith({ subject, email })).status).toBe(409);
    expect(await userOf(email)).toMatchObject({ id });
  });
});

test('an identity of a provider that isn’t offered any more is shown by its host', async () => {
  const { person, fresh, subject } = await somebody();
  await connect(fresh, { subject });
  const none = openIdClient({ providers: [], appUrl, secret: 'x'.repeat(40) });
  expect(await ownIdentities(as(person), none)).toMatchObject([{ label: '127.0.0.1', provider: null }]);
});
