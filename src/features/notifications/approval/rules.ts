import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** Leaves out the reason, shown on the site. */
export function approvalLetter(change: 'revoked' | 'restored', name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const words = change === 'revoked' ? m.mail_approval_revoked : m.mail_approval_restored;
  return {
    subject: m.mail_approval_subject({ site: site.siteName }, inThis),
    name,
    text: [words({}, inThis)],
    action: { label: m.mail_added_action({}, inThis), url: `${site.appUrl}/practice` },
    note: m.mail_approval_note({ email: site.supportEmail }, inThis),
  };
}
