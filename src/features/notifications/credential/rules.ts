import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** Names neither the credential nor the reason. */
export function credentialLetter(state: 'approved' | 'rejected', name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const text = state === 'approved' ? m.mail_credential_approved : m.mail_credential_rejected;
  return {
    subject: m.mail_credential_subject({}, inThis),
    name,
    text: [text({}, inThis)],
    action: { label: m.mail_credential_action({}, inThis), url: `${site.appUrl}/practice` },
  };
}
