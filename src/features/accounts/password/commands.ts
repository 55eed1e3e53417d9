import { AppError, invalidField } from '#/kernel/errors.ts';
import { recordRefused } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { countAttempt, uncountAttempt } from '#/platform/http/limits.ts';
import { provePassword, type KnownPassword } from '#/platform/password-hash.ts';
import { lockAccount, signedIn } from '../commands.ts';
import { requireActing } from '../policies.ts';
import { passwordHashOf } from '../queries.ts';
import { allowances } from '../tries/rules.ts';

/**
 * Verifies the signed-in person's password before an irreversible action. Call it before the
 * transaction, so failed tries stay counted (same limit as sign-in), and `requireSamePassword` in it. Throws invalid
 * `wrong_password` for the field `password`, rate_limited `too_many_tries`.
 */
export async function requirePassword(ctx: Ctx, password: string): Promise<KnownPassword> {
  if (ctx.db.isTransaction) throw new Error('verify the password before the transaction');
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
  if (!(await countAttempt(ctx.db, key, tries, seconds, ctx.now()))) {
    await refuse('too_many_tries');
    throw new AppError('rate_limited', 'too_many_tries');
  }
  const hash = await passwordHashOf(ctx, actor.id);
  const proven = hash === undefined ? null : await provePassword(password, hash);
  if (!proven) {
    await refuse('wrong_password');
    throw invalidField('password', 'wrong_password');
  }
  await uncountAttempt(ctx.db, key);
  return proven;
}

/** Call it after `requirePassword`, in the transaction. */
export async function requireSamePassword(tx: TxCtx, { hash }: KnownPassword): Promise<void> {
  const { id } = signedIn(tx);
  await lockAccount(tx, id);
  await requireActing(tx);
  await tx.db
    .selectFrom('credentials')
    .select('id')
    .where('user_id', '=', id)
    .where('password', '=', hash)
    .executeTakeFirstOrThrow(() => invalidField('password', 'wrong_password'));
}
