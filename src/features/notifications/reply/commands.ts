import { personsOf } from '#/features/accounts/queries.ts';
import { replyNotice } from '#/features/reviews/reply/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { replyLetter } from './rules.ts';

/** Emails the decision, unless the reply changed since. */
export async function mailReplyDecision(
  ctx: Ctx,
  decided: { reviewId: string; revision: number },
  { eventId, appUrl }: { eventId: string; appUrl: string },
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const decision = await replyNotice(ctx, decided);
  const person = decision && (await personsOf(ctx, [decision.providerId])).get(decision.providerId);
  if (!person) return;
  const letter = replyLetter(decision.state, person.fullName, site);
  await sendMail(ctx, {
    key: `${eventId}:${decision.providerId}`,
    kind: 'review_reply_decision',
    to: person.email,
    ...setLetter(letter, site),
  });
}
