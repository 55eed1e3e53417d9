import { createHash } from 'node:crypto';

/** The stored form of a random token: SHA-256 in base64url. Tokens are long enough to need no salt. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
