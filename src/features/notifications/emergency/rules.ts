import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** Doesn't name the counterpart. */
export function emergencyLetter(name: string | null, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.mail_emergency_subject({}, inThis),
    name,
    text: [m.mail_emergency_text({}, inThis), m.mail_emergency_why({}, inThis)],
    action: { label: m.mail_emergency_open({}, inThis), url: `${site.appUrl}/messages` },
    note: m.mail_emergency_note({}, inThis),
  };
}
