import { createSecretKey, generateKeySync, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { decrypt, encrypt, type Keyring } from './keyring.ts';
import { derivationOf, wrappingKey, type KnownPassword } from './password-hash.ts';

/** Encrypted with its author's key, then the server's. */
export interface AuthoredTable {
  table: string;
  /** The column with the author's id. */
  author: string;
  columns: readonly string[];
  seal(rings: ServerRings, key: KeyObject, row: AuthoredRow, column: string, text: string): string;
  /** Opens text of either kind: `key` is null for text that only the server encrypted. */
  open(rings: ServerRings, key: KeyObject | null, row: AuthoredRow, column: string, text: string): string;
}

type ServerRings = Readonly<Record<'keyring' | 'privateNotes', Keyring>>;

export interface AuthoredRow {
  id: string;
  author: string;
}

/** 160 bits: 32 characters in Crockford's Base32. */
const recoveryBytes = 20;

/** A KeyObject, since it prints no bytes wherever it ends up. */
export function newAuthorKey(): KeyObject {
  return generateKeySync('aes', { length: 256 });
}

/** Derives the key that wraps the author key during a session. The database has another hash of the token. */
export function sessionKeyOf(token: string): KeyObject {
  return keyFrom(token, 'italk.session-key');
}

export function wrapKey(authorKey: KeyObject, by: KeyObject, boundTo: string): string {
  return encrypt(by, authorKey.export().toString('base64url'), boundTo);
}

/** Returns null if another key wrapped it, or it belongs elsewhere. */
export function unwrapKey(wrapped: string, by: KeyObject, boundTo: string): KeyObject | null {
  try {
    return createSecretKey(Buffer.from(decrypt(by, wrapped, boundTo), 'base64url'));
  } catch {
    return null;
  }
}

/** Keeps beside the wrapped key how the password's is derived: `$argon2id$v=19$m=…,t=…,p=…,l=64$salt$wrapped`. */
export function wrapByPassword(
  authorKey: KeyObject,
  { hash, key }: { hash: string; key: KeyObject },
  boundTo: string,
): string {
  return derivationOf(hash) + wrapKey(authorKey, key, boundTo);
}

/** Returns null for another password. Derives only if the stored hash doesn't share the derivation. */
export async function unwrapByPassword(
  stored: string,
  { password, hash, key }: Pick<KnownPassword, 'password'> & Partial<KnownPassword>,
  boundTo: string,
): Promise<KeyObject | null> {
  const how = derivationOf(stored);
  const by = key && hash?.startsWith(how) ? key : await wrappingKey(password, how);
  return by && unwrapKey(stored.slice(how.length), by, boundTo);
}

/** Random bytes to print as text; the key they make is as hard to guess, so it needs no slow derivation. */
export function newRecoverySecret(): Buffer {
  return randomBytes(recoveryBytes);
}

export function recoveryKeyOf(secret: Uint8Array): KeyObject {
  return keyFrom(secret, 'italk.recovery-key');
}

/** From a passkey's 32 derived bytes. */
export function passkeyKeyOf(secret: Uint8Array): KeyObject {
  return keyFrom(secret, 'italk.passkey-key');
}

function keyFrom(secret: string | Uint8Array, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
}
