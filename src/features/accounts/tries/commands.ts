import { createHmac } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { resetAttempts, countAttempt, uncountAttempt } from '#/platform/http/limits.ts';
import { limitConcurrency } from '#/platform/turns.ts';
import { mailboxOf } from '#/platform/tokens.ts';
import { allowances, type Allowance } from './rules.ts';

/**
 * Limits concurrency per network: correct tries are refunded only once checked, and would otherwise use up the
 * allowance.
 */
const triesAtOnce = 8;

/** `rateLimitFactor` multiplies every limit. */
export function countAttempts({ secret, rateLimitFactor }: { secret: string; rateLimitFactor: number }) {
  const inTurn = limitConcurrency(triesAtOnce);

  /** HMAC keys, so stored counters don't reveal emails or IP addresses. */
  const keyOf = (kind: string, value: string) =>
    `${kind}:${createHmac('sha256', secret).update(value).digest('base64url')}`;

  const allows = (ctx: Ctx, key: string, { tries, seconds }: Allowance) =>
    countAttempt(ctx.db, key, tries * rateLimitFactor, seconds, ctx.now());

  const limit = async (ctx: Ctx, key: string, allowance: Allowance) => {
    if (!(await allows(ctx, key, allowance))) throw new AppError('rate_limited', 'too_many_tries');
  };

  /** `work` refunds a correct try by its key. */
  const countedByNetwork = <T>(ctx: Ctx, kind: string, work: (key: string) => Promise<T>): Promise<T> => {
    const key = keyOf(`${kind} at`, networkOf(ctx.address ?? ''));
    return inTurn(key, async () => {
      await limit(ctx, key, allowances.address);
      return work(key);
    });
  };

  /**
   * Counts an email request and returns whether to send. Limits repeated requests for the same people, not first
   * requests from a shared network. `onlyAsker`: the email helps only who asked, so other networks have their own limit.
   * Throws rate_limited `too_many_tries`.
   */
  const countMail = async (
    ctx: Ctx,
    kind: string,
    whose: string,
    { perNetwork, onlyAsker = false }: { perNetwork: string | null; onlyAsker?: boolean },
  ) => {
    const networkKey = perNetwork && keyOf(perNetwork, networkOf(ctx.address ?? ''));
    if (networkKey) {
      await limit(ctx, `${networkKey} all`, allowances.crowd);
      await limit(ctx, `${networkKey} day`, allowances.crowdDay);
    }
    const mailbox = mailboxOf(whose);
    const asker = onlyAsker ? `${mailbox} ${networkOf(ctx.address ?? '')}` : mailbox;
    const due =
      (await allows(ctx, keyOf(kind, asker), allowances.mails)) &&
      (!onlyAsker || (await allows(ctx, keyOf(`${kind} day`, mailbox), allowances.codesDay)));
    if (networkKey && !due) await limit(ctx, networkKey, allowances.requests);
    return due;
  };

  /** Correct tries are refunded. */
  const refunded =
    (kind: string) =>
    <T>(ctx: Ctx, work: () => Promise<T>): Promise<T> =>
      countedByNetwork(ctx, kind, async (key) => {
        const answer = await work();
        await uncountAttempt(ctx.db, key);
        return answer;
      });
  const openLink = refunded('links');
  /** Counted apart, so a faulty program can't block the links of its network. */
  const proveByProgram = refunded('program proofs');

  const lockNotice = (userId: string) => keyOf('lock notice', userId);

  /** Emails an unlock link at most daily, until it's used. */
  const tellOfLock = async (ctx: Ctx, userId: string): Promise<void> => {
    const { tries, seconds } = allowances.lockNotices;
    if (await countAttempt(ctx.db, lockNotice(userId), tries, seconds, ctx.now()))
      await transact(ctx, (tx) => tx.emit(tx, 'accounts.sign_in_locked', { userId }));
  };

  const forgetLock = (tx: TxCtx, userId: string): Promise<void> => resetAttempts(tx.db, lockNotice(userId));

  return {
    keyOf,
    allows,
    limit,
    countMail,
    countedByNetwork,
    openLink,
    proveByProgram,
    tellOfLock,
    forgetLock,
  };
}
