import { sql, type SqlBool } from 'kysely';
import { personsOf } from '#/features/accounts/queries.ts';
import { decisionNotice } from '#/features/reviews/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { reviewLetter } from './rules.ts';

/** Emails a client the decision on their review, unless it was reverted or matches the last email. */
export async function mailDecision(ctx: Ctx, reviewId: string, appUrl: string): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const decision = await decisionNotice(ctx, reviewId);
  if (!decision) return;
  const told = `${decision.state}:${decision.revision}`;
  if ((await lastTold(ctx, reviewId))?.endsWith(`:${told}`)) return;
  const person = (await personsOf(ctx, [decision.clientId])).get(decision.clientId);
  if (!person) return;
  const letter = reviewLetter(decision.state, person.fullName, site);
  await sendMail(ctx, {
    key: `review:${reviewId}:${decision.decidedAt}:${told}`,
    kind: 'review_decision',
    to: person.email,
    ...setLetter(letter, site),
  });
}

async function lastTold(ctx: Ctx, reviewId: string): Promise<string | undefined> {
  const mail = await ctx.db
    .selectFrom('mails')
    .select('key')
    // Literal predicate of the partial index: the planner can't match a parameter.
    .where(sql<SqlBool>`key like 'review:%'`)
    .where('key', 'like', `review:${reviewId}:%`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return mail?.key;
}
