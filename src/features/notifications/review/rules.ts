import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** Neither quotes the review nor names its provider. */
export function reviewLetter(state: 'approved' | 'rejected', name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const words =
    state === 'approved'
      ? { subject: m.mail_review_approved_subject, text: m.mail_review_approved_text }
      : { subject: m.mail_review_rejected_subject, text: m.mail_review_rejected_text };
  return {
    subject: words.subject({}, inThis),
    name,
    text: [words.text({ site: site.siteName }, inThis)],
    more: [m.mail_review_private({}, inThis)],
    action: { label: m.mail_review_open({}, inThis), url: `${site.appUrl}/profile?tab=sessions` },
  };
}
