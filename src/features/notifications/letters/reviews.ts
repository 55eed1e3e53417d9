import { sql, type SqlBool } from 'kysely';
import { decisionNotice } from '#/features/reviews/queries.ts';
import { replyNotice } from '#/features/reviews/reply/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../rules.ts';
import { notification } from './notification.ts';
import { findPerson } from '../queries.ts';

export const reviewNotifications = [
  notification({
    event: 'reviews.decided',
    name: 'notifications.review',
    // Nothing for a decision that was reverted or matches the last email.
    async deliveries(tx, { reviewId }, { site }) {
      const decision = await decisionNotice(tx, reviewId);
      if (!decision) return [];
      const decided = `${decision.state}:${decision.revision}`;
      if ((await lastMailKey(tx, reviewId))?.endsWith(`:${decided}`)) return [];
      const client = await findPerson(tx, decision.clientId);
      if (!client) return [];
      return [
        {
          key: `review:${reviewId}:${decision.decidedAt}:${decided}`,
          kind: 'review_decision',
          to: client,
          letter: reviewLetter(decision.state, client.fullName, site),
        },
      ];
    },
  }),
  notification({
    event: 'reviews.reply_decided',
    name: 'notifications.review-reply',
    // Nothing if the reply changed since.
    async deliveries(tx, decided, { eventId, site }) {
      const decision = await replyNotice(tx, decided);
      const provider = decision && (await findPerson(tx, decision.providerId));
      if (!provider) return [];
      const letter = replyLetter(decision.state, provider.fullName, site);
      return [{ key: `${eventId}:${provider.id}`, kind: 'review_reply_decision', to: provider, letter }];
    },
  }),
];

async function lastMailKey(ctx: Ctx, reviewId: string): Promise<string | undefined> {
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

/** Neither quotes the review nor names its provider. */
function reviewLetter(state: 'approved' | 'rejected', name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const words =
    state === 'approved'
      ? { subject: m.mail_review_approved_subject, text: m.mail_review_approved_text }
      : { subject: m.mail_review_rejected_subject, text: m.mail_review_rejected_text };
  return {
    subject: words.subject({}, inThis),
    name,
    text: [words.text({ site: site.siteName }, inThis)],
    action: { label: m.mail_open({}, inThis), url: `${site.appUrl}/profile?tab=sessions` },
  };
}

/** Quotes neither reply nor review. */
function replyLetter(state: 'approved' | 'rejected', name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const text = state === 'approved' ? m.mail_reply_approved : m.mail_reply_rejected;
  return {
    subject: m.mail_reply_subject({}, inThis),
    name,
    text: [text({}, inThis)],
    action: { label: m.mail_reply_action({}, inThis), url: `${site.appUrl}/reviews` },
  };
}
