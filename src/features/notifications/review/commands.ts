import { personsOf } from '#/features/accounts/queries.ts';
import { decisionNotice } from '#/features/reviews/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { reviewLetter } from './rules.ts';

/** Mails the client how their review was decided, once per decision; nothing where it was taken back meanwhile. */
export async function mailDecision(ctx: Ctx, reviewId: string, appUrl: string): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  if (!site.sessionMails) return;
  const decision = await decisionNotice(ctx, reviewId);
  if (!decision) return;
  const person = (await personsOf(ctx, [decision.clientId])).get(decision.clientId);
  if (!person) return;
  const letter = reviewLetter(decision.state, person.fullName, site);
  await sendMail(ctx, {
    key: `review:${reviewId}:${decision.decidedAt}`,
    to: person.email,
    ...setLetter(letter, site.locale),
  });
}
