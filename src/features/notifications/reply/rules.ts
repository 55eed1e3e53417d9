import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** Quotes neither reply nor review. */
export function replyLetter(state: 'approved' | 'rejected', name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const text = state === 'approved' ? m.mail_reply_approved : m.mail_reply_rejected;
  return {
    subject: m.mail_reply_subject({}, inThis),
    name,
    text: [text({}, inThis)],
    action: { label: m.mail_reply_action({}, inThis), url: `${site.appUrl}/reviews` },
  };
}
