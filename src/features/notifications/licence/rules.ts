import { formatDate } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

export function licenceLetter(
  { ended, until }: { ended: boolean; until: string },
  name: string,
  site: MailSite,
): Letter {
  const inThis = { locale: site.locale };
  const date = formatDate(until, { dateStyle: 'long' }, site.locale);
  return {
    subject: m.mail_licence_subject({}, inThis),
    name,
    text: [(ended ? m.mail_licence_ended : m.mail_licence_ending)({ date }, inThis)],
    action: {
      label: m.mail_licence_action({}, inThis),
      url: `${site.appUrl}/practice?tab=credentials`,
    },
  };
}
