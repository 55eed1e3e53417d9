import { argon2Sync, createSecretKey, randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { ownWords, unlockWords } from '#/features/accounts/author-keys/commands.ts';
import { boundTo, sessionAuthorKey } from '#/features/accounts/author-keys/queries.ts';
import { writeEntry } from '#/features/growth/journal/commands.ts';
import { argon2id } from '#/platform/argon2.ts';
import { wrapKey } from '#/platform/author-key.ts';
import type { Ctx } from '#/platform/context.ts';
import { derivationOf } from '#/platform/password-hash.ts';
import { authorsOf, newPassword, textsOf, words } from './support/authors.ts';
import { testDatabase } from './support/database.ts';
import { appUrl, identitiesOf, password } from './support/identity.ts';

vi.mock('#/platform/argon2.ts', { spy: true });

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const { db } = database;
const identities = identitiesOf(database);
const { production, send, signIn } = identities;
const { member, reset, signedInWith } = authorsOf(database, identities);

/** How often `work` derived from a password. */
async function derivations(work: () => Promise<unknown>): Promise<number> {
  vi.mocked(argon2id).mockClear();
  await work();
  return vi.mocked(argon2id).mock.calls.length;
}

const stored = (id: string) =>
  db
    .selectFrom('credentials')
    .innerJoin('author_keys', 'person_id', 'user_id')
    .where('user_id', '=', id)
    .select(['password', 'by_password', 'password_replaced'])
    .executeTakeFirstOrThrow();
const shares = ({ password: hash, by_password }: { password: string | null; by_password: string }) =>
  derivationOf(hash!) === derivationOf(by_password);

/** Stores a member's hash and wrapped key as releases before this one did. */
async function asBefore({ id, ctx }: { id: string; ctx: Ctx }): Promise<void> {
  const key = (await sessionAuthorKey(ctx))!;
  const [hash, by] = [randomBytes(16), randomBytes(16)].map((nonce) => ({
    nonce,
    tag: argon2Sync('argon2id', {
      message: password,
      nonce,
      tagLength: 32,
      memory: 8,
      passes: 1,
      parallelism: 1,
    }),
  }));
  const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const how = '$argon2id$v=19$m=8,t=1,p=1$';
  await db
    .updateTable('credentials')
    .set({ password: `${how}${unpadded(hash!.nonce)}$${unpadded(hash!.tag)}` })
    .where('user_id', '=', id)
    .execute();
  const wrapped = wrapKey(key, createSecretKey(by!.tag), boundTo.password(id));
  await db
    .updateTable('author_keys')
    .set({ by_password: `${how}${by!.nonce.toString('base64url')}$${wrapped}` })
    .where('person_id', '=', id)
    .execute();
}

test(
  'a sign-in derives once, whether the password is right, wrong, or for no account',
  { tags: ['long'] },
  async () => {
    const { id, email } = await member();
    expect(shares(await stored(id))).toBe(true);
    expect(await derivations(() => signedInWith(email, password))).toBe(1);
    for (const [address, given] of [
      [email, 'a-wrong-password'],
      ['nobody@italk.test', password],
    ] as const) {
      const tried = async () => expect((await signIn(production, address, given)).status).toBe(401);
      expect(await derivations(tried)).toBe(1);
    }
  },
);

test('a sign-in renews what an earlier release stored, and opens the words from then on', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  await asBefore(who);
  expect((await signIn(production, who.email, newPassword)).status).toBe(401);
  expect(await textsOf(await signedInWith(who.email, password))).toEqual([words.text]);
  const renewed = await stored(who.id);
  expect(shares(renewed)).toBe(true);
  expect(await derivations(() => signedInWith(who.email, password))).toBe(1);
  expect(await textsOf(await signedInWith(who.email, password))).toEqual([words.text]);
  expect((await signIn(production, who.email, newPassword)).status).toBe(401);
  expect(await stored(who.id)).toEqual(renewed);
});

test('sign-ins at the same time renew it once, and all open', { tags: ['long'] }, async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  await asBefore(who);
  const opened = await Promise.all(Array.from({ length: 4 }, () => signedInWith(who.email, password)));
  for (const ctx of opened) expect(await textsOf(ctx)).toEqual([words.text]);
  expect(shares(await stored(who.id))).toBe(true);
});

test('unlocking renews it too', async () => {
  const who = await member();
  await asBefore(who);
  await unlockWords(who.ctx, appUrl, { password });
  expect(await ownWords(who.ctx)).toMatchObject({ state: 'open' });
  expect(await derivations(() => signedInWith(who.email, password))).toBe(1);
});

test('after a reset, the words stay locked until the former password opens them', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  await asBefore(who);
  const before = await stored(who.id);
  const ctx = await reset(who);
  expect(await stored(who.id)).toMatchObject({ by_password: before.by_password, password_replaced: true });
  expect(await ownWords(ctx)).toMatchObject({ state: 'locked', passwordReplaced: true });
  await unlockWords(ctx, appUrl, { formerPassword: password, password: newPassword });
  expect(await textsOf(ctx)).toEqual([words.text]);
  const opens = async () =>
    expect(await textsOf(await signedInWith(who.email, newPassword))).toEqual([words.text]);
  expect(await derivations(opens)).toBe(1);
});

test('a changed password opens the words with one derivation', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  const change = { password, newPassword };
  expect((await send(production, '/change-password', change, { cookie: who.cookie })).status).toBe(200);
  const opens = async () =>
    expect(await textsOf(await signedInWith(who.email, newPassword))).toEqual([words.text]);
  expect(await derivations(opens)).toBe(1);
});
