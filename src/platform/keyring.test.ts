import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rowsUnder } from '../../tests/support/documents.ts';
import { openKeyring } from './keyring.ts';

const key = () => randomBytes(32).toString('base64url');
const [old, fresh] = [key(), key()];
/** Node's error for a failed authentication tag. */
const unopened = /unable to authenticate/;
const row = 'journal_entries.text:1';

it('leaves no algorithm and no configured key out of the documented inventory', () => {
  const inventory = rowsUnder('docs/safeguards.md', 'Keys and algorithms').flat().join(' | ');
  const source = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] })
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const known: Readonly<Record<string, string>> = {
    "createCipheriv('aes-256-gcm'": 'AES-256-GCM',
    "createHash('sha256'": 'SHA-256',
    "createHmac('sha256'": 'HMAC-SHA-256',
    "createHmac('sha1'": 'HMAC-SHA-1',
    "hkdfSync('sha256'": 'HKDF-SHA-256',
    "derive('argon2id'": 'Argon2id',
  };
  const called = source.match(
    /\b(?:create(?:Cipheriv|Hash|Hmac|Sign)|hkdfSync|derive|scrypt|pbkdf2)\('[\w-]+'/g,
  )!;
  for (const call of new Set(called)) expect(inventory, call).toContain(known[call] ?? call);
  const signatures = source.match(/(?<=')(?:RS|PS|ES|HS)(?:256|384|512)(?=')|(?<=')EdDSA(?=')/g)!;
  for (const name of new Set(signatures)) expect(inventory).toContain(name);
  const keys = source.match(/(?<=env\.)[A-Z_]+_(?:KEYS|SECRET)\b/g)!;
  expect(new Set(keys).size).toBeGreaterThan(4);
  for (const name of new Set(keys)) expect(inventory).toContain(`\`${name}\``);
});

it('decrypts its own ciphertexts, which differ for equal texts', () => {
  const ring = openKeyring(`a:${old}`);
  const sealed = ring.seal('Lord, hear me — 主よ', row);
  expect(sealed).not.toContain('Lord');
  expect(ring.seal('Lord, hear me — 主よ', row)).not.toBe(sealed);
  expect(ring.open(sealed, row)).toBe('Lord, hear me — 主よ');
});

it('rejects moved, changed or truncated data, and data sealed with a removed key', () => {
  const ring = openKeyring(`a:${old}`);
  const sealed = ring.seal('mine', row);
  expect(() => ring.open(sealed, 'journal_entries.text:2')).toThrow(unopened);
  const middle = Math.floor(sealed.length / 2);
  const changed = `${sealed.slice(0, middle)}${sealed[middle] === 'A' ? 'B' : 'A'}${sealed.slice(middle + 1)}`;
  expect(() => ring.open(changed, row)).toThrow(unopened);
  expect(() => ring.open(sealed.slice(0, -4), row)).toThrow(unopened);
  expect(() => openKeyring(`b:${fresh}`).open(sealed, row)).toThrow('no key a');
});

it('opens with old keys after rotation, and reports texts not yet resealed', () => {
  const sealed = openKeyring(`a:${old}`).seal('mine', row);
  const rotated = openKeyring(`b:${fresh},a:${old}`);
  expect(rotated.open(sealed, row)).toBe('mine');
  expect(rotated.isOld(sealed)).toBe(true);
  expect(rotated.isOld(rotated.seal('mine', row))).toBe(false);
});

it('hashes short secrets by key and row, and still matches after rotation', () => {
  const ring = openKeyring(`a:${old}`);
  const hash = ring.hash('012345', row);
  expect(hash).not.toContain('012345');
  expect(ring.matches(hash, '012345', row)).toBe(true);
  expect(ring.matches(hash, '012346', row)).toBe(false);
  expect(ring.matches(hash, '012345', 'journal_entries.text:2')).toBe(false);
  expect(openKeyring(`b:${fresh},a:${old}`).matches(hash, '012345', row)).toBe(true);
  expect(openKeyring(`a:${fresh}`).matches(hash, '012345', row)).toBe(false);
  expect(openKeyring(`b:${old}`).matches(hash, '012345', row)).toBe(false);
});

it('rejects keys that are short, unnamed or duplicated', () => {
  for (const keys of ['', 'a', `a:${old.slice(0, 20)}`, `:${old}`, `a:${old},a:${fresh}`]) {
    expect(() => openKeyring(keys)).toThrow('keys must be');
  }
});
