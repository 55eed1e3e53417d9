import { randomBytes } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { digest, digestHex } from '#/platform/tokens.ts';
import { selfOf } from '#/features/access/rules.ts';
import { requireFresh } from '#/features/accounts/commands.ts';
import type { Feed } from './contract.ts';
import { feedFile } from './queries.ts';
import { feedPath, isKnown } from './rules.ts';
import { requireFeedOwner } from '../appointment/policies.ts';

/**
 * Creates a private calendar URL, replacing any existing one. The full URL is only available here. Throws like
 * `requireFresh`: the URL outlasts the session.
 */
export async function makeFeed(ctx: Ctx): Promise<Feed & { path: string }> {
  const self = selfOf(ctx);
  await requireFresh(ctx);
  const token = randomBytes(32).toString('base64url');
  return transact(ctx, async (tx) => {
    const made = {
      token_hash: digestHex(token),
      made_at: new Date(tx.now().epochMilliseconds),
      read_at: null,
    };
    await tx.db
      .insertInto('calendar_feeds')
      .values({ person_id: self, ...made })
      .onConflict((conflict) => conflict.column('person_id').doUpdateSet(made))
      .execute();
    await record(tx, 'made', self);
    return { path: feedPath(token), madeAt: isoOf(made.made_at), readAt: null };
  });
}

export async function revokeFeed(ctx: Ctx): Promise<void> {
  const self = selfOf(ctx);
  await transact(ctx, async (tx) => {
    const deleted = await tx.db
      .deleteFrom('calendar_feeds')
      .where('person_id', '=', self)
      .returning('person_id')
      .executeTakeFirst();
    if (deleted) await record(tx, 'revoked', self);
  });
}

/** Revokes a calendar URL created within this interval. */
export async function endFeedMadeBetween(
  ctx: Ctx,
  personId: string,
  { since, until }: { since: string; until: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const deleted = await tx.db
      .deleteFrom('calendar_feeds')
      .where('person_id', '=', personId)
      .where('made_at', '>', new Date(since))
      .where('made_at', '<=', new Date(until))
      .returning('person_id')
      .executeTakeFirst();
    if (deleted) await record(tx, 'revoked', personId);
  });
}

export async function endAllFeeds({ db }: TxCtx): Promise<void> {
  await db.deleteFrom('calendar_feeds').execute();
}

async function record(tx: TxCtx, what: 'made' | 'revoked', personId: string): Promise<void> {
  await recordDone(tx, { action: `calendar_feed.${what}`, subject: { kind: 'person', id: personId } });
  await publish(tx, [`person:${personId}`], { type: 'calendar_feed.changed', id: personId });
}

/** Rate limits per IP address and per calendar; window in seconds. */
const maxAsked = { ofAddress: 600, ofCalendar: 60, seconds: 600 };

/**
 * Serves a calendar app: the file, or "not modified". Unknown and revoked tokens both throw `not_found`; neither is
 * logged.
 */
export async function answerFeed(
  ctx: Ctx,
  request: { token: string; ifNoneMatch: string | null },
  { appUrl, rateLimitFactor }: { appUrl: string; rateLimitFactor: number },
): Promise<Response> {
  const within = async (key: string, max: number) => {
    if (
      await countAttempt(ctx.db, `calendar_feed:${key}`, max * rateLimitFactor, maxAsked.seconds, ctx.now())
    )
      return;
    throw new AppError('rate_limited', 'too_many_reads');
  };
  await within(networkOf(ctx.address ?? ''), maxAsked.ofAddress);
  const { personId, readAt } = await requireFeedOwner(ctx, request.token);
  await within(personId, maxAsked.ofCalendar);
  const content = await feedFile(ctx, personId, appUrl);
  const now = ctx.now().epochMilliseconds;
  if (readAt === null || now - readAt.getTime() >= 60_000) {
    await ctx.db
      .updateTable('calendar_feeds')
      .set({ read_at: new Date(now) })
      .where('person_id', '=', personId)
      .execute();
  }
  const tag = `"${digest(content)}"`;
  const headers = {
    etag: tag,
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  };
  if (isKnown(request.ifNoneMatch, tag)) return new Response(null, { status: 304, headers });
  return new Response(content, {
    headers: {
      ...headers,
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename="italk-calendar.ics"',
    },
  });
}
