import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { recordRefused } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { hit, takeBack } from '#/platform/http/limits.ts';
import { allowances } from '../tries/rules.ts';

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

/** OWASP minimum for Argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };

/** Hashes a password with Argon2id as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: message(password), nonce, tagLength: 32, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!found) return false;
  const [, memory, passes, parallelism, salt, expected] = found;
  const tag = Buffer.from(expected!, 'base64');
  const actual = await derive('argon2id', {
    message: message(password),
    nonce: Buffer.from(salt!, 'base64'),
    tagLength: tag.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, tag);
}

/**
 * Verifies the signed-in person's password before an irreversible action. Call it before the transaction, so failed
 * tries stay counted (same limit as sign-in). Throws invalid `wrong_password` for the field `password`, rate_limited
 * `too_many_tries`.
 */
export async function requirePassword(ctx: Ctx, password: string): Promise<void> {
  if (ctx.db.isTransaction) throw new Error('a password is asked for before the transaction');
  const { actor } = ctx;
  if (actor.kind !== 'person') throw new AppError('unauthenticated', 'sign_in_required');
  const { tries, seconds } = allowances.passwords;
  const key = `confirm-password:${actor.id}`;
  const refuse = (reason: string) =>
    recordRefused(ctx, {
      action: 'password_confirmed',
      category: 'security',
      subject: { kind: 'person', id: actor.id },
      details: { reason },
    });
  if (!(await hit(ctx.db, key, tries, seconds, ctx.now()))) {
    await refuse('too_many_tries');
    throw new AppError('rate_limited', 'too_many_tries');
  }
  const stored = await ctx.db
    .selectFrom('credentials')
    .where('user_id', '=', actor.id)
    .where('provider_id', '=', 'credential')
    .select('password')
    .executeTakeFirst();
  if (!stored?.password || !(await verifyPassword(stored.password, password))) {
    await refuse('wrong_password');
    throw invalidField('password', 'wrong_password');
  }
  await takeBack(ctx.db, key);
}

/** Every keyboard must produce the same bytes (NIST SP 800-63B, section 5.1.1.2). */
function message(password: string): string {
  return password.normalize('NFKC');
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
