import { mailedLink, onwardPath } from '#/features/accounts/rules.ts';
import { m } from '#/texts/messages.js';
import type { Letter } from '../letter/rules.ts';
import type { MailSite } from '../session/rules.ts';

/** What a person's identity mail is about. */
export type IdentityMatter =
  | { kind: 'verify'; token: string; next: string }
  | { kind: 'reset'; token: string; next: string }
  | { kind: 'exists'; next: string };

/** The letter with which a person shows that an address is theirs, sets a password, or learns that they have an account. */
export function identityLetter(matter: IdentityMatter, name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const common = { name, supportEmail: site.supportEmail };
  switch (matter.kind) {
    case 'verify':
      return {
        ...common,
        subject: m.mail_verify_subject({}, inThis),
        text: [m.mail_verify_text({}, inThis)],
        action: {
          label: m.mail_verify_action({}, inThis),
          url: mailedLink(site.appUrl, 'verify', matter.token, matter.next),
        },
        note: m.mail_verify_note({}, inThis),
      };
    case 'reset':
      return {
        ...common,
        subject: m.mail_reset_subject({}, inThis),
        text: [m.mail_reset_text({}, inThis)],
        action: {
          label: m.mail_reset_action({}, inThis),
          url: mailedLink(site.appUrl, 'reset-password', matter.token, matter.next),
        },
        note: m.mail_reset_note({}, inThis),
      };
    case 'exists':
      return {
        ...common,
        subject: m.mail_exists_subject({}, inThis),
        text: [m.mail_exists_text({}, inThis)],
        action: {
          label: m.mail_exists_action({}, inThis),
          url: `${site.appUrl}/?auth=1&next=${encodeURIComponent(onwardPath(matter.next))}`,
        },
        note: m.mail_exists_note({}, inThis),
      };
  }
}
