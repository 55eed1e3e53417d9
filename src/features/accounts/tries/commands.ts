import { createHmac } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { forget, hit, takeBack } from '#/platform/http/limits.ts';
import { inTurns } from '#/platform/http/turns.ts';
import { allowances, type Allowance } from '../rules.ts';

/** How many tries from one network address are looked at at once: those that are right must not use up its limit. */
const triesAtOnce = 8;

/** Counts what is tried at the ways in; `rateLimitFactor` multiplies every limit. */
export function countTries({ secret, rateLimitFactor }: { secret: string; rateLimitFactor: number }) {
  const inTurn = inTurns(triesAtOnce);

  /** A key to count under: what was typed and where from can't be read out of it. */
  const keyOf = (kind: string, value: string) =>
    `${kind}:${createHmac('sha256', secret).update(value).digest('base64url')}`;

  const allows = (ctx: Ctx, key: string, { tries, seconds }: Allowance) =>
    hit(ctx.db, key, tries * rateLimitFactor, seconds, ctx.now());

  /** Counts a try. Throws rate_limited `too_many_tries`. */
  const limit = async (ctx: Ctx, key: string, allowance: Allowance) => {
    if (!(await allows(ctx, key, allowance))) throw new AppError('rate_limited', 'too_many_tries');
  };

  /** Counts a try under the network address that it comes from; `work` takes it back under its key if it was right. */
  const countedAtPlace = <T>(ctx: Ctx, kind: string, work: (key: string) => Promise<T>): Promise<T> => {
    const key = keyOf(`${kind} at`, networkOf(ctx.address ?? ''));
    return inTurn(key, async () => {
      await limit(ctx, key, allowances.address);
      return work(key);
    });
  };

  /**
   * Counts a request for an email; returns whether to send it. Many people on one network may each ask once; repeated
   * requests for the same people are limited. Throws rate_limited `too_many_tries`.
   */
  const countMail = async (
    ctx: Ctx,
    kind: string,
    whose: string,
    { atPlace }: { atPlace: string | null },
  ) => {
    const place = atPlace && keyOf(atPlace, networkOf(ctx.address ?? ''));
    if (place) {
      await limit(ctx, `${place} all`, allowances.crowd);
      await limit(ctx, `${place} day`, allowances.crowdDay);
    }
    const due = await allows(ctx, keyOf(kind, whose), allowances.mails);
    if (place && !due) await limit(ctx, place, allowances.requests);
    return due;
  };

  /** Counts a link's token that may be a guess; one that works isn't counted. */
  const openLink = <T>(ctx: Ctx, work: () => Promise<T>): Promise<T> =>
    countedAtPlace(ctx, 'links', async (key) => {
      const answer = await work();
      await takeBack(ctx.db, key);
      return answer;
    });

  const lockNotice = (userId: string) => keyOf('lock notice', userId);

  /** Mails the owner of an account a link, once a day at most until it is used, when others have tried too many passwords. */
  const tellOfLock = async (ctx: Ctx, userId: string): Promise<void> => {
    const { tries, seconds } = allowances.lockNotices;
    if (await hit(ctx.db, lockNotice(userId), tries, seconds, ctx.now()))
      await transact(ctx, (tx) => tx.emit(tx, 'accounts.sign_in_locked', { userId }));
  };

  /** Lets the owner be mailed again, as they have used their link. */
  const forgetLock = (tx: TxCtx, userId: string): Promise<void> => forget(tx.db, lockNotice(userId));

  return { keyOf, allows, limit, countMail, countedAtPlace, openLink, tellOfLock, forgetLock };
}
