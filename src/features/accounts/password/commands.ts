import { randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { recordRefused } from '#/features/audit/commands.ts';
import { argon2Cost as cost, argon2id } from '#/platform/argon2.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { hit, takeBack } from '#/platform/http/limits.ts';
import { allowances } from '../tries/rules.ts';

/** Hashes a password with Argon2id as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await argon2id(password, { nonce, tagLength: 32, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!found) return false;
  const [, memory, passes, parallelism, salt, expected] = found;
  const tag = Buffer.from(expected!, 'base64');
  const actual = await argon2id(password, {
    nonce: Buffer.from(salt!, 'base64'),
    tagLength: tag.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, tag);
}

/**
 * Verifies the signed-in person's password before an irreversible action, and returns its hash. Call it before the
 * transaction, so failed tries stay counted (same limit as sign-in), and `requireSamePassword` in it. Throws invalid
 * `wrong_password` for the field `password`, rate_limited `too_many_tries`.
 */
export async function requirePassword(ctx: Ctx, password: string): Promise<string> {
  if (ctx.db.isTransaction) throw new Error('a password is asked for before the transaction');
  const { actor } = ctx;
  if (actor.kind !== 'person') throw new AppError('unauthenticated', 'sign_in_required');
  const { tries, seconds } = allowances.passwords;
  const key = `confirm-password:${actor.id}`;
  const refuse = (reason: string) =>
    recordRefused(ctx, {
      action: 'password_confirmed',
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
  return stored.password;
}

/** Call it once the account is locked. Throws invalid `wrong_password` if the password was replaced meanwhile. */
export async function requireSamePassword(tx: TxCtx, personId: string, hash: string): Promise<void> {
  const same = await tx.db
    .selectFrom('credentials')
    .select('id')
    .where('user_id', '=', personId)
    .where('password', '=', hash)
    .executeTakeFirst();
  if (!same) throw invalidField('password', 'wrong_password');
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
