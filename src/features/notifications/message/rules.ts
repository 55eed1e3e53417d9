import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** Contains neither text nor sender. */
export function messageLetter(name: string | null, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.mail_message_subject({}, inThis),
    name,
    text: [m.mail_message_text({}, inThis)],
    action: { label: m.mail_message_open({}, inThis), url: `${site.appUrl}/messages` },
    note: m.mail_message_once({}, inThis),
  };
}
