import { createHash } from 'node:crypto';

/** Hashes a random token for storage: SHA-256 in base64url. High-entropy tokens need no salt. */
export function digest(secret: string): string {
  return digestBytes(secret).toString('base64url');
}

/** Hashes a random token, or a request to compare later, where the stored form is hexadecimal. */
export function digestHex(text: string): string {
  return digestBytes(text).toString('hex');
}

/** Names a mailbox in the key of a limit, without keeping the address. */
export function addressDigest(email: string): string {
  return digestHex(mailboxOf(email));
}

/** Drops case, dots and what follows a `+`. */
export function mailboxOf(email: string): string {
  const [name, domain] = email.toLowerCase().split('@');
  return domain === undefined ? name! : `${name!.replaceAll(/\+.*|\./g, '')}@${domain}`;
}

/** SHA-256 of the parts, one after the other. */
export function digestBytes(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
