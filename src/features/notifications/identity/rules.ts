import { mailedLink, onwardPath } from '#/features/accounts/rules.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** What a person's identity mail is about. */
export type IdentityMatter =
  | { kind: 'verify'; token: string; next: string }
  | { kind: 'reset'; token: string; next: string }
  | { kind: 'exists'; next: string }
  | { kind: 'former_address' }
  | { kind: AccountChange };

/** What an administrator has done with an account. */
export type AccountChange = 'suspended' | 'restored' | 'deleted';

/** How the keys begin of mails that say that an account was deleted: they outlast its erasure until they are sent. */
export const lastWord = 'account-deleted:';

/** The letter with which a person shows that an address is theirs, sets a password, or learns that they have an account. */
export function identityLetter(matter: IdentityMatter, name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  switch (matter.kind) {
    case 'verify':
      return {
        name,
        subject: m.mail_verify_subject({}, inThis),
        text: [m.mail_verify_text({ site: site.siteName }, inThis)],
        action: {
          label: m.mail_verify_action({}, inThis),
          url: mailedLink(site.appUrl, 'verify', matter.token, matter.next),
        },
        note: m.mail_verify_note({}, inThis),
      };
    case 'reset':
      return {
        name,
        subject: m.mail_reset_subject({}, inThis),
        text: [m.mail_reset_text({ site: site.siteName }, inThis)],
        action: {
          label: m.mail_reset_action({}, inThis),
          url: mailedLink(site.appUrl, 'reset-password', matter.token, matter.next),
        },
        note: m.mail_reset_note({}, inThis),
      };
    case 'exists':
      return {
        name,
        subject: m.mail_exists_subject({ site: site.siteName }, inThis),
        text: [m.mail_exists_text({}, inThis)],
        action: {
          label: m.mail_exists_action({}, inThis),
          url: `${site.appUrl}/?auth=1&next=${encodeURIComponent(onwardPath(matter.next))}`,
        },
        note: m.mail_exists_note({}, inThis),
      };
    case 'former_address':
      return {
        name,
        subject: m.mail_former_subject({ site: site.siteName }, inThis),
        text: [m.mail_former_text({}, inThis)],
        action: { label: m.mail_former_action({}, inThis), url: `${site.appUrl}/contact` },
        note: m.mail_former_note({}, inThis),
      };
    // Why is nobody's to read in a mailbox, so that it isn't said.
    case 'suspended':
      return {
        name,
        subject: m.mail_suspended_subject({ site: site.siteName }, inThis),
        text: [m.mail_suspended_text({}, inThis)],
        action: { label: m.mail_former_action({}, inThis), url: `${site.appUrl}/contact` },
        note: m.mail_suspended_note({ email: site.supportEmail }, inThis),
      };
    case 'restored':
      return {
        name,
        subject: m.mail_restored_subject({ site: site.siteName }, inThis),
        text: [m.mail_restored_text({}, inThis)],
        action: { label: m.mail_exists_action({}, inThis), url: `${site.appUrl}/?auth=1` },
        note: m.mail_restored_note({ email: site.supportEmail }, inThis),
      };
    case 'deleted':
      return {
        name,
        subject: m.mail_deleted_subject({ site: site.siteName }, inThis),
        text: [m.mail_deleted_text({}, inThis)],
        action: { label: m.mail_former_action({}, inThis), url: `${site.appUrl}/contact` },
        note: m.mail_suspended_note({ email: site.supportEmail }, inThis),
      };
  }
}
