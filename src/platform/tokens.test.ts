import { expect, test } from 'vitest';
import { addressDigest, digest, digestBytes, digestHex, mailboxOf } from './tokens.ts';

// From `printf abc | sha256sum`; stored values depend on these.
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('hashes with SHA-256 in the stored encodings', () => {
  expect(digestHex('abc')).toBe(abc);
  expect(digest('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  expect(digestBytes('a', Buffer.from('b'), '', 'c').toString('hex')).toBe(abc);
});

test('names all addresses of a mailbox alike', () => {
  expect(addressDigest('ABC')).toBe(abc);
  for (const address of [
    'Ruth.Amsel@Mail.example',
    'ruthamsel+1@mail.example',
    'r.u.t.h.amsel+a.b@mail.example',
  ])
    expect(mailboxOf(address)).toBe('ruthamsel@mail.example');
  expect(mailboxOf('ruthamsel@mailexample.org')).toBe('ruthamsel@mailexample.org');
});
