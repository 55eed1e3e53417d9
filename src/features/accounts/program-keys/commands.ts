import { errors, exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT, type JWK } from 'jose';
import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { keysOf, publicKey, sealedPrivateKey } from './queries.ts';
import { accessMinutes, needsNewKey, secondsOf, signingKey, expiredKeys } from './rules.ts';

const algorithm = 'ES256';

/** Claims of an access token besides `iss`, `aud`, `iat` and `exp`. */
export interface Claims {
  sub: string;
  session_id: string;
  aal: 'aal1' | 'aal2';
  amr: { method: string; timestamp: number }[];
  role?: string;
  email?: string;
}

interface Parties<Audience> {
  issuer: string;
  audience: Audience;
}

/** Claims of a token that we signed. */
export interface ReadClaims extends Claims {
  aud: string;
  /** Seconds since 1970. */
  iat: number;
}

/** Returns the public keys as a JSON Web Key Set (RFC 7517). */
export async function keySet(ctx: Ctx): Promise<{ keys: JWK[] }> {
  const keys = await ensureKeys(ctx);
  return { keys: keys.map((key) => JSON.parse(key.public_key) as JWK) };
}

export async function signToken(
  ctx: Ctx,
  claims: Claims,
  { issuer, audience }: Parties<string>,
): Promise<{ token: string; expiresAt: number }> {
  const now = ctx.now();
  const key = signingKey(await ensureKeys(ctx), now);
  if (!key) throw new Error('no active key to sign access tokens');
  const jwk = JSON.parse(sealedPrivateKey.open(ctx.keyring, key.id, key.sealed_private_key)) as JWK;
  const issuedAt = secondsOf(new Date(now.epochMilliseconds));
  const expiresAt = issuedAt + accessMinutes * 60;
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: algorithm, kid: key.id, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(await importJWK(jwk, algorithm));
  return { token, expiresAt };
}

/** Returns an access token's claims if we signed it for one of the audiences and it still works; otherwise null. */
export async function readToken(
  ctx: Ctx,
  token: string,
  { issuer, audience }: Parties<string[]>,
): Promise<ReadClaims | null> {
  try {
    const { payload } = await jwtVerify(token, async ({ kid }) => findKey(ctx, kid), {
      algorithms: [algorithm],
      issuer,
      audience,
      typ: 'JWT',
      requiredClaims: ['sub', 'exp', 'iat', 'session_id'],
      currentDate: new Date(ctx.now().epochMilliseconds),
    });
    return payload as unknown as ReadClaims;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof AppError) return null;
    throw error;
  }
}

async function findKey(ctx: Ctx, kid: string | undefined) {
  const jwk = await publicKey(ctx, kid);
  if (!jwk) throw new AppError('unauthenticated', 'unknown_key');
  return importJWK(jwk, algorithm);
}

/** Creates a new key when due, and deletes keys whose tokens have expired. */
export async function rotateKeys(ctx: Ctx): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockKeys(tx);
    const keys = await keysOf(tx);
    if (keys.length > 0 && needsNewKey(keys, tx.now())) await makeKey(tx);
    for (const { id } of expiredKeys(keys, tx.now()))
      await tx.db.deleteFrom('program_keys').where('id', '=', id).execute();
  });
}

/** Returns the keys, making the first one when it's needed. */
async function ensureKeys(ctx: Ctx): ReturnType<typeof keysOf> {
  const keys = await keysOf(ctx);
  if (keys.length > 0) return keys;
  return transact(ctx, async (tx) => {
    await lockKeys(tx);
    const made = await keysOf(tx);
    if (made.length > 0) return made;
    await makeKey(tx);
    return keysOf(tx);
  });
}

async function lockKeys({ db }: TxCtx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('program keys', 0))`.execute(db);
}

async function makeKey(tx: TxCtx): Promise<void> {
  const id = tx.newId();
  const { publicKey: open, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const [openJwk, privateJwk] = await Promise.all([exportJWK(open), exportJWK(privateKey)]);
  await tx.db
    .insertInto('program_keys')
    .values({
      id,
      public_key: JSON.stringify({ ...openJwk, kid: id, alg: algorithm, use: 'sig' }),
      sealed_private_key: sealedPrivateKey.seal(tx.keyring, id, JSON.stringify(privateJwk)),
      created_at: new Date(tx.now().epochMilliseconds),
    })
    .execute();
}
