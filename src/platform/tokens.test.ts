import { expect, test } from 'vitest';
import { addressDigest, digest, digestBytes, digestHex } from './tokens.ts';

// From `printf abc | sha256sum`; stored values depend on these.
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('hashes with SHA-256 in the stored encodings', () => {
  expect(digestHex('abc')).toBe(abc);
  expect(digest('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  expect(digestBytes('a', Buffer.from('b'), '', 'c').toString('hex')).toBe(abc);
});

test('ignores case in addresses', () => {
  expect(addressDigest('ABC')).toBe(abc);
});
