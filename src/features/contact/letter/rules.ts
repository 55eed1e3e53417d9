import type { Letter, MailSite } from '#/features/notifications/rules.ts';
import { m } from '#/texts/messages.js';

export interface SupportMatter {
  id: string;
  name: string;
  email: string;
  subject: string;
  message: string;
}

/** Builds the operator's email. Its subject reveals nothing, since others may see the inbox. */
export function supportLetter({ id, name, email, subject, message }: SupportMatter, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.contact_mail_support_subject({}, inThis),
    name: null,
    text: [m.contact_mail_support_text({}, inThis)],
    facts: [
      { label: m.contact_mail_support_name({}, inThis), value: name },
      { label: m.contact_mail_support_email({}, inThis), value: email },
      { label: m.contact_mail_support_about({}, inThis), value: subject },
    ],
    more: message.split(/\r?\n\s*\r?\n|\r?\n/).filter((line) => line.trim() !== ''),
    action: {
      label: m.contact_mail_support_action({}, inThis),
      url: `${site.appUrl}/admin/inbox?message=${id}`,
    },
    note: m.contact_mail_support_note({}, inThis),
  };
}

/** Builds the sender's confirmation. Contains no typed text: anyone could have entered this address. */
export function receiptLetter(site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.contact_mail_receipt_subject({}, inThis),
    name: null,
    text: [m.contact_mail_receipt_text({}, inThis), m.contact_mail_receipt_urgent({}, inThis)],
    action: { label: m.contact_mail_receipt_action({}, inThis), url: `${site.appUrl}/faq` },
    note: m.contact_mail_receipt_note({}, inThis),
  };
}
