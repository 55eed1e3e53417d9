import { createSecretKey, generateKeySync, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { argon2Cost as cost, argon2id } from './argon2.ts';
import { decrypt, encrypt, type Keyring } from './keyring.ts';

/** Table encrypted with its author's key, then the server's. */
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

/** Wraps with a key derived from the password by Argon2id: `$argon2id$v=19$m=…,t=…,p=…$salt$wrapped`. */
export async function wrapByPassword(
  authorKey: KeyObject,
  password: string,
  boundTo: string,
): Promise<string> {
  const salt = randomBytes(16);
  const by = await passwordKey(password, salt, cost);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt.toString('base64url')}$${wrapKey(authorKey, by, boundTo)}`;
}

/** Returns null for another password. */
export async function unwrapByPassword(
  stored: string,
  password: string,
  boundTo: string,
): Promise<KeyObject | null> {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored);
  if (!found) return null;
  const [, memory, passes, parallelism, salt, wrapped] = found;
  const by = await passwordKey(password, Buffer.from(salt!, 'base64url'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return unwrapKey(wrapped!, by, boundTo);
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

/** Same cost as the sign-in hash: attackers with a database copy would crack the cheaper one. */
async function passwordKey(password: string, nonce: Buffer, how: typeof cost): Promise<KeyObject> {
  return createSecretKey(await argon2id(password, { nonce, tagLength: 32, ...how }));
}
