import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** Hashes a password at the lowest cost, so tests that sign in spend no time on Argon2. */
export async function cheapHash(password: string): Promise<string> {
  const [nonce, cost] = [randomBytes(16), { memory: 8, passes: 1, parallelism: 1 }];
  const tag = await promisify(argon2)('argon2id', {
    message: password.normalize('NFKC'),
    nonce,
    tagLength: 32,
    ...cost,
  });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`;
}
