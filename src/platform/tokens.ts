import { createHash } from 'node:crypto';

/** Hashes a random token for storage: SHA-256 in base64url. High-entropy tokens need no salt. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
