import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { openKeyring } from './keyring.ts';

const key = () => randomBytes(32).toString('base64url');
const [old, fresh] = [key(), key()];
/** What the runtime says when the seal doesn't fit. */
const unopened = /unable to authenticate/;
const row = 'journal_entries.text:1';

it('opens what it sealed, and seals the same text differently each time', () => {
  const ring = openKeyring(`a:${old}`);
  const sealed = ring.seal('Lord, hear me — 主よ', row);
  expect(sealed).not.toContain('Lord');
  expect(ring.seal('Lord, hear me — 主よ', row)).not.toBe(sealed);
  expect(ring.open(sealed, row)).toBe('Lord, hear me — 主よ');
});

it('refuses what was moved to another row, changed, cut short, or sealed with a key that is gone', () => {
  const ring = openKeyring(`a:${old}`);
  const sealed = ring.seal('mine', row);
  expect(() => ring.open(sealed, 'journal_entries.text:2')).toThrow(unopened);
  const middle = Math.floor(sealed.length / 2);
  const changed = `${sealed.slice(0, middle)}${sealed[middle] === 'A' ? 'B' : 'A'}${sealed.slice(middle + 1)}`;
  expect(() => ring.open(changed, row)).toThrow(unopened);
  expect(() => ring.open(sealed.slice(0, -4), row)).toThrow(unopened);
  expect(() => openKeyring(`b:${fresh}`).open(sealed, row)).toThrow('no key a');
});

it('opens with old keys after a rotation, and tells which texts wait for the new one', () => {
  const sealed = openKeyring(`a:${old}`).seal('mine', row);
  const rotated = openKeyring(`b:${fresh},a:${old}`);
  expect(rotated.open(sealed, row)).toBe('mine');
  expect(rotated.isOld(sealed)).toBe(true);
  expect(rotated.isOld(rotated.seal('mine', row))).toBe(false);
});

it('refuses keys that are too short, unnamed or named twice', () => {
  for (const keys of ['', 'a', `a:${old.slice(0, 20)}`, `:${old}`, `a:${old},a:${fresh}`]) {
    expect(() => openKeyring(keys)).toThrow('a key is written');
  }
});
