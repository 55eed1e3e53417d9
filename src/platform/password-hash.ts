import { createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { argon2Cost, argon2id } from './argon2.ts';

/** A password with its hash and key. */
export interface KnownPassword {
  password: string;
  /** To store: `$argon2id$v=19$m=…,t=…,p=…,l=64$salt$hash`. */
  hash: string;
  /** Wraps the author key; never stored. Null for hashes of earlier releases, which gave none. */
  key: KeyObject | null;
}

/**
 * Derives 64 bytes with Argon2id: the first half is the stored hash, the second is the key. Both are one BLAKE2b
 * output, so neither half reveals the other (RFC 9106, section 3.3).
 */
export async function hashPassword(password: string): Promise<KnownPassword & { key: KeyObject }> {
  const { memory, passes, parallelism } = argon2Cost;
  const how = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism},l=64$${unpadded(randomBytes(16))}$`;
  const output = (await derive(password, how))!;
  return { password, hash: how + firstHalf(output), key: keyIn(output) };
}

/** Returns null for another password. */
export async function provePassword(password: string, hash: string): Promise<KnownPassword | null> {
  const how = derivationOf(hash);
  const output = await derive(password, how);
  if (!output) return null;
  const [ours, given] = [Buffer.from(how + firstHalf(output)), Buffer.from(hash)];
  if (ours.length !== given.length || !timingSafeEqual(ours, given)) return null;
  return { password, hash, key: output.length === 64 ? keyIn(output) : null };
}

/** Derives what wrapped an author key; null for text of another form. */
export async function wrappingKey(password: string, how: string): Promise<KeyObject | null> {
  const output = await derive(password, how);
  return output && keyIn(output);
}

/** Returns a stored hash up to its salt, which defines the derivation. */
export function derivationOf(stored: string): string {
  return stored.slice(0, stored.lastIndexOf('$') + 1);
}

function firstHalf(output: Buffer): string {
  return unpadded(output.subarray(0, 32));
}

function keyIn(output: Buffer): KeyObject {
  return createSecretKey(output.subarray(-32));
}

/** Earlier releases derived 32 bytes, for one purpose. */
async function derive(password: string, how: string): Promise<Buffer | null> {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)(,l=64)?\$([^$]+)\$$/.exec(how);
  if (!found) return null;
  const [, memory, passes, parallelism, long, salt] = found;
  return argon2id(password, {
    nonce: Buffer.from(salt!, 'base64'),
    tagLength: long ? 64 : 32,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
