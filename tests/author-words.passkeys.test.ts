import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { signedIn } from '#/features/accounts/commands.ts';
import { ownWords, startOver, unlockWords } from '#/features/accounts/author-keys/commands.ts';
import { askOwnPasskey, ownPasskeys, removePasskey } from '#/features/accounts/passkeys/commands.ts';
import { reauthenticate } from '#/features/accounts/reauthentication/commands.ts';
import type { Assertion } from '#/features/accounts/webauthn/contract.ts';
import { writeEntry } from '#/features/growth/journal/commands.ts';
import { sessionKeyOf } from '#/platform/author-key.ts';
import { newAuthenticator } from './support/authenticator.ts';
import { authorsOf, locked, newPassword, textsOf, words } from './support/authors.ts';
import { testDatabase } from './support/database.ts';
import { appUrl, identitiesOf, password } from './support/identity.ts';
import { refusalOf } from './support/refusal.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const { db } = database;
const identities = identitiesOf(database);
const { production, send } = identities;
const authors = authorsOf(database, identities);
const { member, signedInWith, reset, addTo, askedToSignIn, enterBy, unlockBy } = authors;

const wrong = { fields: [{ field: 'passkey', reason: 'wrong_secret' }] };

test('a passkey made while the words are open opens them at sign-in from then on, and on a locked page', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  const device = newAuthenticator(appUrl, { prf: true });
  expect(await addTo(who.ctx, device)).toMatchObject({ opensWords: true });
  expect(await textsOf(await enterBy(device))).toEqual([words.text]);
  const there = await enterBy(device, { prf: null });
  expect(await ownWords(there)).toMatchObject({ state: 'locked', byPasskey: true });
  expect(await unlockBy(there, device)).toMatchObject({ state: 'open' });
  expect(await textsOf(there)).toEqual([words.text]);
});

test('a passkey that derives no secret, a short one or another one signs in, if at all, and leaves them locked', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  const plain = newAuthenticator(appUrl);
  expect(await addTo(who.ctx, plain)).toMatchObject({ opensWords: false });
  expect(await refusalOf(textsOf(await enterBy(plain)))).toMatchObject(locked);
  expect(await refusalOf(askOwnPasskey(who.ctx, appUrl, { opensWords: true }))).toMatchObject({
    code: 'not_found',
  });

  const device = newAuthenticator(appUrl, { prf: true });
  await addTo(who.ctx, device);
  const before = await wrapsOf(who.id);
  for (const prf of [null, randomBytes(32).toString('base64url')]) {
    const ctx = await enterBy(device, { prf });
    expect(await refusalOf(textsOf(ctx))).toMatchObject(locked);
    expect(await refusalOf(unlockBy(ctx, device, { prf }))).toMatchObject(wrong);
  }
  const { options, cookie } = await askedToSignIn();
  const short = device.get(options, { prf: randomBytes(31).toString('base64url') });
  expect(await send(production, '/sign-in/passkey', { passkey: short }, { cookie })).toMatchObject({
    status: 400,
    body: { fields: [{ field: 'passkey.prf' }] },
  });
  expect(await wrapsOf(who.id)).toEqual(before);
});

test('a passkey made earlier opens them once it was used beside the password, as a second step or to confirm', async () => {
  const [first, second, third] = [await member(), await member(), await member()];
  const device = newAuthenticator(appUrl, { prf: true });
  await writeEntry(first.ctx, words);
  await addTo(first.ctx, device, { prf: null });
  const afterwards = await enterBy(device);
  expect(await refusalOf(textsOf(afterwards))).toMatchObject(locked);
  await unlockWords(afterwards, appUrl, { password });
  expect(await textsOf(await enterBy(device))).toEqual([words.text]);
  // Kept only until then.
  const kept = await db
    .selectFrom('sessions')
    .select('passkey_key')
    .where('user_id', '=', first.id)
    .execute();
  expect(kept.every(({ passkey_key }) => passkey_key === null)).toBe(true);

  const other = newAuthenticator(appUrl, { prf: true });
  await writeEntry(second.ctx, words);
  await addTo(second.ctx, other, { prf: null });
  await reauthenticate(second.ctx, appUrl, {
    passkey: other.get(await askOwnPasskey(second.ctx, appUrl)) as Assertion,
  });
  expect(await textsOf(await enterBy(other))).toEqual([words.text]);

  const last = newAuthenticator(appUrl, { prf: true });
  await writeEntry(third.ctx, words);
  await addTo(third.ctx, last, { prf: null });
  await enterBy(last, {}, { email: third.email, password });
  expect(await textsOf(await enterBy(last))).toEqual([words.text]);
});

test('a passkey that signed in before any other secret still opens them later if its person confirms in between', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  const device = newAuthenticator(appUrl, { prf: true });
  await addTo(who.ctx, device, { prf: null });
  const ctx = await enterBy(device);
  const { token: digest } = await db
    .selectFrom('sessions')
    .select('token')
    .where('id', '=', signedIn(ctx).sessionId)
    .executeTakeFirstOrThrow();
  let renewed = '';
  const sessionToken = { digest, send: (next: string) => (renewed = next) };
  await reauthenticate({ ...ctx, sessionToken }, appUrl, { password });
  await unlockWords({ ...ctx, sessionKey: sessionKeyOf(renewed) }, appUrl, { password });
  expect(await textsOf(await enterBy(device))).toEqual([words.text]);
});

test('a passkey opens nothing once it’s removed, the account is recovered or the words were deleted', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  const [one, two] = [1, 2].map(() => newAuthenticator(appUrl, { prf: true }));
  const { id } = await addTo(who.ctx, one!);
  await addTo(who.ctx, two!);
  await removePasskey(who.ctx, { providers: [] }, { id });
  expect(await wrapsOf(who.id)).toHaveLength(1);
  await reauthenticate(who.ctx, appUrl, { password });
  await startOver(who.ctx);
  const empty = await enterBy(two!);
  expect(await ownWords(empty)).toMatchObject({ state: 'unkeyed', byPasskey: false });
  // The next author key is theirs again, and its first password lets the session's passkey open it.
  await unlockWords(empty, appUrl, { password });
  await writeEntry(empty, words);
  expect(await textsOf(await enterBy(two!))).toEqual([words.text]);
  const after = await reset(who);
  expect(await ownPasskeys(after)).toEqual([]);
  expect(await ownWords(after)).toMatchObject({ state: 'locked', byPasskey: false });
});

test('a passkey of somebody else opens nothing, not even with a wrap moved in the database', async () => {
  const [ruth, boaz] = [await member(), await member()];
  await writeEntry(ruth.ctx, words);
  const [hers, second, his] = [1, 2, 3].map(() => newAuthenticator(appUrl, { prf: true }));
  const { id } = await addTo(ruth.ctx, hers!);
  const { id: secondId } = await addTo(ruth.ctx, second!);
  const { id: hisId } = await addTo(boaz.ctx, his!);
  const there = await enterBy(hers!, { prf: null });
  expect(await refusalOf(unlockBy(there, his!))).toMatchObject({ reason: 'wrong_passkey' });

  // Somebody who can write to the database and has Ruth's cookie, but not her passkey.
  const move = (from: string, to: string) =>
    sql`update passkeys set author_key = (select author_key from passkeys where id = ${from}) where id = ${to}`.execute(
      db,
    );
  await move(id, hisId);
  await sql`update passkeys set user_id = ${ruth.id} where id = ${hisId}`.execute(db);
  expect(await refusalOf(unlockBy(there, his!))).toMatchObject(wrong);
  expect(await refusalOf(textsOf(await enterBy(his!)))).toMatchObject(locked);
  await move(id, secondId);
  expect(await refusalOf(unlockBy(there, second!))).toMatchObject(wrong);
  expect(await refusalOf(textsOf(there))).toMatchObject(locked);
  expect(await unlockBy(there, hers!)).toMatchObject({ state: 'open' });
  // With the right secret, a wrap opens only at its own passkey and person.
  const elsewhere = randomUUID();
  await sql`update passkeys set id = ${elsewhere} where id = ${id}`.execute(db);
  expect(await refusalOf(textsOf(await enterBy(hers!)))).toMatchObject(locked);
  await sql`update passkeys set id = ${id}, user_id = ${boaz.id} where id = ${elsewhere}`.execute(db);
  await writeEntry(boaz.ctx, { text: 'Of Boaz' });
  expect(await refusalOf(textsOf(await enterBy(hers!)))).toMatchObject(locked);
});

test('a passkey can’t be replayed: not the answer, and not its secret beside another signature', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  const device = newAuthenticator(appUrl, { prf: true });
  await addTo(who.ctx, device);
  const { options, cookie } = await askedToSignIn();
  const answer = device.get(options) as Assertion;
  await send(production, '/sign-in/passkey', { passkey: answer }, { cookie });
  const again = await send(production, '/sign-in/passkey', { passkey: answer }, { cookie });
  expect(again).toMatchObject({ status: 412, body: { reason: 'passkey_expired' }, cookies: [] });

  const taker = await enterBy(device, { prf: null });
  expect(await refusalOf(unlockWords(taker, appUrl, { passkey: answer }))).toMatchObject({
    reason: 'passkey_expired',
  });
  const asked = await askOwnPasskey(taker, appUrl);
  const forged = newAuthenticator(appUrl).get(asked, {
    prf: answer.prf!,
    userHandle: answer.response.userHandle!,
  });
  const passkey = { ...forged, id: answer.id, rawId: answer.id } as Assertion;
  expect(await refusalOf(unlockWords(taker, appUrl, { passkey }))).toMatchObject({ reason: 'wrong_passkey' });
  expect(await refusalOf(textsOf(taker))).toMatchObject(locked);
});

test('a passkey that an administrator adds after a reset never opens them, nor once their author is back', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  const device = newAuthenticator(appUrl, { prf: true });
  await addTo(who.ctx, device);
  const taker = await reset(who);
  const theirs = newAuthenticator(appUrl, { prf: true });
  await reauthenticate(taker, appUrl, { password: newPassword });
  expect(await addTo(taker, theirs)).toMatchObject({ opensWords: false });
  const byPasskey = await enterBy(theirs);
  for (const ctx of [taker, byPasskey]) {
    expect(await refusalOf(textsOf(ctx))).toMatchObject(locked);
    expect(await refusalOf(unlockBy(ctx, theirs))).toMatchObject(wrong);
    await reauthenticate(ctx, appUrl, {
      passkey: theirs.get(await askOwnPasskey(ctx, appUrl)) as Assertion,
    });
    expect(await refusalOf(unlockWords(ctx, appUrl, { password: newPassword }))).toMatchObject({
      reason: 'wrong_secret',
    });
  }
  // The author unlocks elsewhere: nothing wraps for a passkey that wasn't used there.
  const back = await signedInWith(who.email, newPassword);
  await unlockWords(back, appUrl, { formerPassword: password, password: newPassword });
  expect(await textsOf(back)).toEqual([words.text]);
  expect(await wrapsOf(who.id)).toEqual([]);
  for (const ctx of [byPasskey, await enterBy(theirs)])
    expect(await refusalOf(textsOf(ctx))).toMatchObject(locked);
  expect(await refusalOf(unlockBy(byPasskey, theirs))).toMatchObject(wrong);
});

/** All wrapped copies by this person's passkeys. */
async function wrapsOf(personId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select('author_key')
    .where('user_id', '=', personId)
    .where('author_key', 'is not', null)
    .execute();
  return rows.map(({ author_key }) => author_key!);
}
