import { argon2, type Argon2Parameters } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { limitConcurrency } from './turns.ts';

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

/** More would slow everything else. */
const inTurn = limitConcurrency(availableParallelism());

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
  return inTurn('', () => derive('argon2id', { message: password.normalize('NFKC'), ...how }));
}
