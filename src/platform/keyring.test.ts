import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { openKeyring } from './keyring.ts';

const key = () => randomBytes(32).toString('base64url');
const [old, fresh] = [key(), key()];
/** Node's error for a failed authentication tag. */
const unopened = /unable to authenticate/;
const row = 'journal_entries.text:1';

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
