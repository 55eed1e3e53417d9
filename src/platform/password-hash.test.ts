import { argon2Sync } from 'node:crypto';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { argon2Cost } from './argon2.ts';
import { hashPassword, provePassword } from './password-hash.ts';

const derived = (salt: string, tagLength: number) =>
  argon2Sync('argon2id', {
    message: 'a-quiet-room-42',
    nonce: Buffer.from(salt, 'base64'),
    tagLength,
    ...argon2Cost,
  });
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

test('hashes at OWASP’s minimum cost', async () => {
  const program = `import { hashPassword } from '${import.meta.resolve('./password-hash.ts')}'; console.log((await hashPassword('a')).hash)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stdout).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1,l=64\$[\w+/]{22}\$[\w+/]{43}$/m);
});

test('stores the first half of the output, and keeps the second as a key', async () => {
  const { hash, key } = await hashPassword('a-quiet-room-42');
  const [, , , how, salt, stored] = hash.split('$');
  const { memory, passes } = argon2Cost;
  expect(how).toBe(`m=${memory},t=${passes},p=1,l=64`);
  const output = derived(salt!, 64);
  expect(stored).toBe(unpadded(output.subarray(0, 32)));
  expect(key.export().equals(output.subarray(32))).toBe(true);
  const proven = await provePassword('a-quiet-room-42', hash);
  expect(proven!.key!.equals(key)).toBe(true);
  expect(await provePassword('a-quiet-room-43', hash)).toBeNull();
  // As the previous release verifies it: wrong, never right.
  expect(stored).not.toBe(unpadded(derived(salt!, 32)));
});

test('verifies hashes of earlier releases, which give no key', async () => {
  const salt = unpadded(Buffer.from('sixteen bytes, ok'));
  const { memory, passes } = argon2Cost;
  const hash = `$argon2id$v=19$m=${memory},t=${passes},p=1$${salt}$${unpadded(derived(salt, 32))}`;
  expect(await provePassword('a-quiet-room-42', hash)).toMatchObject({ hash, key: null });
  expect(await provePassword('a-quiet-room-43', hash)).toBeNull();
});

test.each(['', 'plain', '$argon2id$v=19$m=8,t=1,p=1$c2FsdA', '$argon2i$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA'])(
  'rejects a stored %j',
  async (hash) => expect(await provePassword('a-quiet-room-42', hash)).toBeNull(),
);

test('rejects a stored hash that was cut', async () => {
  const { hash } = await hashPassword('a-quiet-room-42');
  for (const cut of [hash.slice(0, -1), hash.slice(0, -42), `${hash}A`])
    expect(await provePassword('a-quiet-room-42', cut)).toBeNull();
});
