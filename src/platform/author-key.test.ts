import { createSecretKey, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  newAuthorKey,
  newRecoverySecret,
  recoveryKeyOf,
  sessionKeyOf,
  unwrapByPassword,
  unwrapKey,
  wrapByPassword,
  wrapKey,
} from './author-key.ts';
import { decrypt, encrypt } from './keyring.ts';
import { digest } from './tokens.ts';
import { hashPassword } from './password-hash.ts';

const key = newAuthorKey();

test('opens with the wrapping key, only where it was bound to', () => {
  const by = recoveryKeyOf(newRecoverySecret());
  const wrapped = wrapKey(key, by, 'ruth');
  expect(unwrapKey(wrapped, by, 'ruth')?.equals(key)).toBe(true);
  expect(unwrapKey(wrapped, by, 'boaz')).toBeNull();
  expect(unwrapKey(wrapped, recoveryKeyOf(newRecoverySecret()), 'ruth')).toBeNull();
  expect(unwrapKey(`A${wrapped.slice(1)}`, by, 'ruth')?.equals(key) ?? false).toBe(wrapped.startsWith('A'));
  expect(unwrapKey('', by, 'ruth')).toBeNull();
});

test('opens with the password however a keyboard writes it, not with its stored hash', async () => {
  const [known, other] = await Promise.all([
    hashPassword('caf\u00e9 in Wien'),
    hashPassword('caf\u00e9 in Wien'),
  ]);
  expect(known.hash.split('$')[4]).not.toBe(other.hash.split('$')[4]);
  const wrapped = wrapByPassword(key, known, 'ruth');
  const opened = (given: Parameters<typeof unwrapByPassword>[1], boundTo = 'ruth') =>
    unwrapByPassword(wrapped, given, boundTo);
  expect((await opened({ password: 'cafe\u0301 in Wien' }))?.equals(key)).toBe(true);
  expect((await opened(known))?.equals(key)).toBe(true);
  expect((await opened(other))?.equals(key)).toBe(true);
  expect(await opened({ password: 'cafe in Wien' })).toBeNull();
  expect(await opened(known, 'boaz')).toBeNull();
  expect(await unwrapByPassword('plain', known, 'ruth')).toBeNull();
  const stored = createSecretKey(Buffer.from(known.hash.split('$').at(-1)!, 'base64'));
  expect(await opened({ ...known, key: stored })).toBeNull();
});

test('derives a session’s key from its cookie, not from the hash in the database', () => {
  const token = randomBytes(24).toString('base64url');
  const wrapped = wrapKey(key, sessionKeyOf(token), 'one');
  expect(unwrapKey(wrapped, sessionKeyOf(token), 'one')?.equals(key)).toBe(true);
  for (const guess of [
    sessionKeyOf(digest(token)),
    createSecretKey(Buffer.from(digest(token), 'base64url')),
    sessionKeyOf(`${token} `),
  ])
    expect(unwrapKey(wrapped, guess, 'one')).toBeNull();
});

test('prints no bytes', () => {
  const bytes = key.export().toString('base64url');
  expect(`${inspect({ key })}${JSON.stringify({ key })}`).not.toContain(bytes.slice(0, 8));
});

test('encrypts each text differently, and opens none that was altered', () => {
  const [one, two] = [encrypt(key, 'Words', 'row'), encrypt(key, 'Words', 'row')];
  expect(one).not.toBe(two);
  expect(decrypt(key, one, 'row')).toBe('Words');
  const bytes = Buffer.from(one, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes);
    altered[at]! ^= 1;
    expect(() => decrypt(key, altered.toString('base64url'), 'row'), `byte ${at}`).toThrow(/authenticate/);
  }
  expect(() => decrypt(key, one, 'other row')).toThrow(/authenticate/);
});
