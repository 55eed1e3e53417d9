import { argon2, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

/**
 * OWASP minimum for Argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. Backup codes don't store it:
 * another cost must keep this one for theirs.
 */
export const argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 };

export function argon2id(
  password: string,
  how: { nonce: Uint8Array; tagLength: number } & typeof argon2Cost,
): Promise<Buffer> {
  // Every keyboard must produce the same bytes (NIST SP 800-63B, section 5.1.1.2).
  return derive('argon2id', { message: password.normalize('NFKC'), ...how });
}
