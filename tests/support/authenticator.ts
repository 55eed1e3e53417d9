import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { digestBytes } from '#/platform/tokens.ts';

/** Differences of a hostile or odd authenticator or browser. */
export interface Said {
  challenge?: string;
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  counter?: number;
  backupEligible?: boolean;
  crossOrigin?: boolean;
  userHandle?: string | null;
  /** Signs with another key. */
  key?: KeyObject;
  aaguid?: Buffer;
  format?: string;
  statement?: Record<string, unknown>;
  /** Another public key (COSE). */
  cose?: Buffer;
  /** Another secret than its own, or none. */
  prf?: string | null;
}

interface Asked {
  challenge: string;
}

export type Authenticator = ReturnType<typeof newAuthenticator>;

/** An authenticator in software with one ES256 passkey for the site at `origin`, which derives a secret if `prf`. */
export function newAuthenticator(origin: string, { prf = false } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(24);
  const id = credentialId.toString('base64url');
  const prfSecret = prf ? randomBytes(32).toString('base64url') : null;
  let userHandle = '';

  const derived = (said: Said) => {
    const secret = said.prf === undefined ? prfSecret : said.prf;
    return secret === null ? {} : { prf: secret };
  };

  function clientData(type: 'webauthn.create' | 'webauthn.get', { challenge }: Asked, said: Said): Buffer {
    const { crossOrigin = false } = said;
    const data = { type, challenge: said.challenge ?? challenge, origin: said.origin ?? origin, crossOrigin };
    return Buffer.from(JSON.stringify(data));
  }

  /** Authenticator data up to the counter (Web Authentication, section 6.1). */
  function head(said: Said, attested: boolean): Buffer {
    const rpIdHash = digestBytes(said.rpId ?? new URL(origin).hostname);
    const synced = said.backupEligible ?? true;
    const flags =
      0x01 | (said.userVerified === false ? 0 : 0x04) | (synced ? 0x18 : 0) | (attested ? 0x40 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(said.counter ?? 0);
    return Buffer.concat([rpIdHash, Buffer.of(flags), counter]);
  }

  return {
    id,
    prf: prfSecret,
    create(options: Asked & { user: { id: string } }, said: Said = {}) {
      userHandle = options.user.id;
      const { x, y } = publicKey.export({ format: 'jwk' });
      const point = (text: string | undefined) => Buffer.from(text!, 'base64url');
      const own = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, point(x)],
          [-3, point(y)],
        ]),
      );
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const authData = Buffer.concat([
        head(said, true),
        said.aaguid ?? Buffer.alloc(16),
        length,
        credentialId,
        said.cose ?? own,
      ]);
      const attestationObject = cbor(
        new Map<string, unknown>([
          ['fmt', said.format ?? 'none'],
          ['attStmt', new Map(Object.entries(said.statement ?? {}))],
          ['authData', authData],
        ]),
      );
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', options, said).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
        ...derived(said),
      };
    },
    get(options: Asked, said: Said = {}) {
      const data = clientData('webauthn.get', options, said);
      const authData = head(said, false);
      const signed = Buffer.concat([authData, digestBytes(data)]);
      const handle = said.userHandle === undefined ? userHandle : said.userHandle;
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, said.key ?? privateKey).toString('base64url'),
          ...(handle === null ? {} : { userHandle: handle }),
        },
        ...derived(said),
      };
    },
  };
}

/** An RS256 key, as older Windows TPMs make them. */
export function newRsaKey(): { key: KeyObject; cose: Buffer } {
  const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { n, e } = publicKey.export({ format: 'jwk' });
  const parts: [number, unknown][] = [
    [1, 3],
    [3, -257],
    [-1, Buffer.from(n!, 'base64url')],
    [-2, Buffer.from(e!, 'base64url')],
  ];
  return { key, cose: cbor(new Map(parts)) };
}

/** Encodes what attestations hold: integers, texts, bytes, lists and maps (RFC 8949). */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? start(1, -1 - value) : start(0, value);
  if (typeof value === 'string')
    return Buffer.concat([start(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([start(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([start(4, value.length), ...value.map(cbor)]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([start(5, entries.length), ...entries.flat().map(cbor)]);
}

function start(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.of((kind << 5) | size);
  if (size < 256) return Buffer.of((kind << 5) | 24, size);
  return Buffer.of((kind << 5) | 25, size >> 8, size & 0xff);
}
