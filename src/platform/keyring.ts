import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

/** Encrypts private text at rest with AES-256-GCM, bound to its row. */
export interface Keyring {
  /** Encrypts with the first key. `boundTo` names table, column and row, such as `journal_entries.text:0190…`. */
  seal(text: string, boundTo: string): string;
  /** Decrypts with any key. Throws if the text was altered or belongs to another row. */
  open(sealed: string, boundTo: string): string;
  /** Hashes a short secret with the first key: unlike a plain hash, it can't be guessed from the database alone. */
  hash(text: string, boundTo: string): string;
  /** With a hash by any key; constant time. */
  matches(hash: string, text: string, boundTo: string): boolean;
  /** Returns true unless encrypted with the first key. */
  isOld(sealed: string): boolean;
}

const nonceBytes = 12;
const tagBytes = 16;

/** Parses `id:key,…` in order; keys are 32 bytes in base64url. Throws on a bad key. */
export function keysOf(keys: string): ReadonlyMap<string, Buffer> {
  const ring = new Map<string, Buffer>();
  for (const pair of keys.split(',')) {
    const [id = '', encoded = ''] = pair.trim().split(':');
    const key = Buffer.from(encoded, 'base64url');
    if (!/^[\w-]{1,32}$/.test(id) || key.length !== 32 || ring.has(id)) {
      throw new Error('keys must be id:key, with unique ids and 32 bytes in base64url');
    }
    ring.set(id, key);
  }
  return ring;
}

/** Opens a keyring from a `keysOf` list: the first key encrypts, all decrypt. Throws on a bad key. */
export function openKeyring(keys: string): Keyring {
  const ring = keysOf(keys);
  const first = ring.keys().next().value!;
  return {
    seal(text, boundTo) {
      return `${first}:${encrypt(ring.get(first)!, text, boundTo)}`;
    },
    open(sealed, boundTo) {
      const [id = '', encoded = ''] = sealed.split(':');
      const key = ring.get(id);
      if (!key) throw new Error(`no key ${id} in the keyring`);
      return decrypt(key, encoded, boundTo);
    },
    hash: (text, boundTo) => `${first}:${hashBy(ring.get(first)!, text, boundTo).toString('base64url')}`,
    matches(hash, text, boundTo) {
      const [id = '', encoded = ''] = hash.split(':');
      const key = ring.get(id);
      if (!key) return false;
      const given = Buffer.from(encoded, 'base64url');
      const right = hashBy(key, text, boundTo);
      return given.length === right.length && timingSafeEqual(given, right);
    },
    isOld: (sealed) => !sealed.startsWith(`${first}:`),
  };
}

/** AES-256-GCM with a random nonce, as nonce, ciphertext and tag in base64url. */
export function encrypt(key: Buffer | KeyObject, text: string, boundTo: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/** Throws for a wrong key, altered text or another binding. */
export function decrypt(key: Buffer | KeyObject, encrypted: string, boundTo: string): string {
  const bytes = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(bytes.subarray(-tagBytes));
  return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
}

/** HMAC-SHA-256 with a key separate from encryption. */
function hashBy(key: Buffer, text: string, boundTo: string): Buffer {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'hash', 32));
  return createHmac('sha256', own).update(`${boundTo}\n${text}`).digest();
}
