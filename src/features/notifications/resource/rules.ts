import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

const texts = {
  published: m.mail_resource_published,
  rejected: m.mail_resource_rejected,
  unpublished: m.mail_resource_unpublished,
};

/** Composes the submission decision email. It leaves out the title, since others may read the mailbox. */
export function resourceLetter(decision: keyof typeof texts, name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.mail_resource_subject({}, inThis),
    name,
    text: [texts[decision]({}, inThis)],
    action: { label: m.mail_resource_action({}, inThis), url: `${site.appUrl}/author` },
  };
}
