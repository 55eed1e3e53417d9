import { formatInstant } from '#/kernel/date-text.ts';
import { exportTerms } from '#/features/accounts/export/rules.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** `deleteAfter` is epoch milliseconds, displayed in `timeZone`. */
export type PrivacyMatter =
  | { kind: 'export_ready' }
  | { kind: 'deletion'; deleteAfter: number; timeZone: string };

/** Links require sign-in. */
export function privacyLetter(matter: PrivacyMatter, name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const url = `${site.appUrl}/profile?tab=privacy`;
  if (matter.kind === 'export_ready') {
    return {
      name,
      subject: m.mail_export_subject({ site: site.siteName }, inThis),
      text: [m.mail_export_text({ hours: exportTerms.hours }, inThis)],
      action: { label: m.mail_export_action({}, inThis), url },
      note: m.mail_export_note({}, inThis),
    };
  }
  const date = formatInstant(matter.deleteAfter, matter.timeZone, { dateStyle: 'long' }, site.locale);
  return {
    name,
    subject: m.mail_deletion_subject({ site: site.siteName, date }, inThis),
    text: [m.mail_deletion_text({ date }, inThis), m.mail_deletion_devices({}, inThis)],
    action: { label: m.mail_deletion_action({}, inThis), url },
    note: m.mail_deletion_note({}, inThis),
  };
}
