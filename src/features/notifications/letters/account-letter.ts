import { formatInstant } from '#/kernel/date-text.ts';
import {
  exportTerms,
  addressChangePath,
  emailChangePath,
  codeMinutes,
  lockDays,
  mailedLink,
  safeReturnPath,
  returnPath,
  signInCodePath,
  signInPath,
  type AccountChange,
  type SecurityChange,
} from '#/features/accounts/rules.ts';
import { m } from '#/texts/messages.js';
import type { Letter, Locale, MailSite } from '../rules.ts';

export type AccountTopic =
  /** `next` is null if the link returns to a program, here and below. */
  | { kind: 'verify'; token: string; next: string | null }
  | { kind: 'reset'; token: string; next: string | null }
  | { kind: 'exists'; next: string }
  | { kind: 'sign_in'; token: string; next: string | null }
  /** No link then. */
  | { kind: 'sign_in_code'; code: string; next: string | null }
  | { kind: 'confirmation_code'; code: string }
  /** Sign-in link requested for an account with a password. */
  | { kind: 'sign_in_password' }
  | { kind: 'locked'; token: string }
  | { kind: 'welcome' }
  | { kind: SecurityChange }
  | { kind: 'former_address' }
  /** Sent to the former address, which can undo the change until `until` (formatted). */
  | { kind: 'address_changed'; token: string; until: string }
  | { kind: 'new_address'; until: string }
  | { kind: 'address_given_back' }
  /** `address` is the new one. */
  | { kind: 'email_change_former'; token: string; address: string }
  | { kind: 'email_change_new'; token: string }
  /** Another account asked for this one's address. */
  | { kind: 'email_change_taken' }
  | { kind: 'email_changed'; token: string; address: string; until: string }
  | { kind: 'email_changed_new' }
  | { kind: AccountChange };

const securedTexts = {
  new_device: m.mail_secured_new_device,
  password_set: m.mail_secured_password,
  factor_set_up: m.mail_secured_factor_on,
  factor_removed: m.mail_secured_factor_off,
  factor_reset: m.mail_secured_factor_reset,
  codes_renewed: m.mail_secured_codes,
  passkey_added: m.mail_secured_passkey_added,
  passkey_removed: m.mail_secured_passkey_removed,
  identity_connected: m.mail_secured_identity_connected,
  identity_disconnected: m.mail_secured_identity_disconnected,
  phone_added: m.mail_secured_phone_added,
  phone_removed: m.mail_secured_phone_removed,
  api_token_created: m.mail_secured_api_token_created,
  site_token_created: m.mail_secured_site_token_created,
  recovery_key: m.mail_secured_recovery_key,
  words_deleted: m.mail_secured_words_deleted,
} satisfies Record<SecurityChange, unknown>;

export function isSecurityChange(kind: string): kind is SecurityChange {
  return Object.hasOwn(securedTexts, kind);
}

type Words = Omit<Letter, 'name'>;

const letters: {
  [Kind in Exclude<AccountTopic['kind'], SecurityChange>]: (
    site: MailSite,
    inThis: { locale: Locale },
    topic: AccountTopic & { kind: Kind },
  ) => Words;
} = {
  verify: (site, inThis, topic) => ({
    subject: m.mail_verify_subject({}, inThis),
    text: [
      (topic.next === null ? m.mail_verify_app_text : m.mail_verify_text)({ site: site.siteName }, inThis),
    ],
    action: {
      label: m.mail_verify_action({}, inThis),
      url: mailedLink(site.appUrl, 'verify', topic.token, topic.next),
    },
    note: m.mail_verify_note({}, inThis),
  }),
  reset: (site, inThis, topic) => ({
    subject: m.mail_reset_subject({}, inThis),
    text: [m.mail_reset_text({ site: site.siteName }, inThis)],
    action: {
      label: m.mail_reset_subject({}, inThis),
      url: mailedLink(site.appUrl, 'reset-password', topic.token, topic.next),
    },
    note: m.mail_reset_note({}, inThis),
  }),
  exists: (site, inThis, topic) => ({
    subject: m.mail_exists_subject({ site: site.siteName }, inThis),
    text: [m.mail_exists_text({}, inThis)],
    action: {
      label: m.mail_exists_action({}, inThis),
      url: `${site.appUrl}/?auth=1&next=${encodeURIComponent(safeReturnPath(topic.next))}`,
    },
    note: m.mail_exists_note({}, inThis),
  }),
  sign_in: (site, inThis, topic) => ({
    subject: m.mail_sign_in_subject({ site: site.siteName }, inThis),
    text: [m.mail_sign_in_text({ site: site.siteName }, inThis)],
    action: {
      label: m.mail_sign_in_action({}, inThis),
      url: `${site.appUrl}${topic.next === null ? returnPath(topic.token) : signInPath(topic.token)}`,
    },
    note: m.mail_sign_in_note({}, inThis),
  }),
  sign_in_code: (site, inThis, topic) => ({
    subject: m.mail_sign_in_subject({ site: site.siteName }, inThis),
    text: [m.mail_sign_in_code_text({ site: site.siteName, minutes: codeMinutes }, inThis)],
    facts: [{ label: m.mail_sign_in_code_label({}, inThis), value: topic.code }],
    ...(topic.next !== null && {
      more: [m.mail_sign_in_code_more({}, inThis)],
      action: {
        label: m.mail_sign_in_action({}, inThis),
        url: `${site.appUrl}${signInCodePath(topic.code, topic.next)}`,
      },
    }),
    note: m.mail_sign_in_code_note({}, inThis),
  }),
  confirmation_code: (site, inThis, topic) => ({
    subject: m.mail_confirmation_code_subject({ site: site.siteName }, inThis),
    text: [m.mail_confirmation_code_text({ site: site.siteName, minutes: codeMinutes }, inThis)],
    facts: [{ label: m.mail_sign_in_code_label({}, inThis), value: topic.code }],
    note: m.mail_confirmation_code_note({}, inThis),
  }),
  sign_in_password: (site, inThis) => ({
    subject: m.mail_sign_in_subject({ site: site.siteName }, inThis),
    text: [m.mail_sign_in_password_text({}, inThis)],
    action: { label: m.mail_sign_in_action({}, inThis), url: `${site.appUrl}/?auth=1` },
    note: m.mail_sign_in_password_note({}, inThis),
  }),
  welcome: (site, inThis) => ({
    subject: m.mail_welcome_subject({ site: site.siteName }, inThis),
    text: [m.mail_welcome_text({ site: site.siteName }, inThis)],
    action: { label: m.mail_welcome_action({}, inThis), url: `${site.appUrl}/home` },
  }),
  locked: (site, inThis, topic) => ({
    subject: m.mail_locked_subject({ site: site.siteName }, inThis),
    text: [m.mail_locked_text({ site: site.siteName }, inThis)],
    action: {
      label: m.mail_locked_action({}, inThis),
      url: mailedLink(site.appUrl, 'unlock', topic.token, '/home'),
    },
    note: m.mail_locked_note({}, inThis),
  }),
  former_address: (site, inThis) => ({
    subject: m.mail_former_subject({ site: site.siteName }, inThis),
    text: [m.mail_former_text({}, inThis)],
    action: { label: m.mail_former_action({}, inThis), url: `${site.appUrl}/contact` },
    note: m.mail_former_note({}, inThis),
  }),
  address_changed: (site, inThis, topic) => ({
    subject: m.mail_former_subject({ site: site.siteName }, inThis),
    text: [
      m.mail_former_text({}, inThis),
      m.mail_address_changed_text({ until: topic.until, days: lockDays }, inThis),
    ],
    action: {
      label: m.mail_address_changed_action({}, inThis),
      url: `${site.appUrl}${addressChangePath(topic.token)}`,
    },
    note: m.mail_address_changed_note({}, inThis),
  }),
  new_address: (site, inThis, topic) => ({
    subject: m.mail_new_address_subject({ site: site.siteName }, inThis),
    text: [
      m.mail_new_address_text({ site: site.siteName, until: topic.until }, inThis),
      m.mail_new_address_sooner({ days: lockDays }, inThis),
    ],
    action: { label: m.mail_former_action({}, inThis), url: `${site.appUrl}/contact` },
    note: m.mail_new_address_note({}, inThis),
  }),
  address_given_back: (site, inThis) => ({
    subject: m.mail_given_back_subject({ site: site.siteName }, inThis),
    text: [m.mail_given_back_text({}, inThis)],
    action: { label: m.mail_exists_action({}, inThis), url: `${site.appUrl}/?auth=1` },
    note: m.mail_former_note({}, inThis),
  }),
  email_change_former: (site, inThis, topic) => ({
    subject: m.mail_email_change_former_subject({ site: site.siteName }, inThis),
    text: [
      m.mail_email_change_former_text({ site: site.siteName, address: topic.address }, inThis),
      m.mail_email_change_former_both({}, inThis),
    ],
    action: {
      label: m.mail_email_change_former_action({}, inThis),
      url: `${site.appUrl}${emailChangePath(topic.token)}`,
    },
    note: m.mail_email_change_former_note({}, inThis),
  }),
  email_change_new: (site, inThis, topic) => ({
    subject: m.mail_email_change_new_subject({ site: site.siteName }, inThis),
    text: [
      m.mail_email_change_new_text({ site: site.siteName }, inThis),
      m.mail_email_change_new_both({}, inThis),
    ],
    action: {
      label: m.mail_email_change_new_action({}, inThis),
      url: `${site.appUrl}${emailChangePath(topic.token)}`,
    },
    note: m.mail_email_change_new_note({}, inThis),
  }),
  email_change_taken: (site, inThis) => ({
    subject: m.mail_exists_subject({ site: site.siteName }, inThis),
    text: [m.mail_email_change_taken_text({ site: site.siteName }, inThis)],
    action: { label: m.mail_exists_action({}, inThis), url: `${site.appUrl}/?auth=1` },
    note: m.mail_email_change_taken_note({}, inThis),
  }),
  email_changed: (site, inThis, topic) => ({
    subject: m.mail_former_subject({ site: site.siteName }, inThis),
    text: [
      m.mail_email_changed_text({ site: site.siteName, address: topic.address }, inThis),
      m.mail_email_changed_undo({ until: topic.until }, inThis),
    ],
    action: {
      label: m.mail_address_changed_action({}, inThis),
      url: `${site.appUrl}${addressChangePath(topic.token)}`,
    },
  }),
  email_changed_new: (site, inThis) => ({
    subject: m.mail_new_address_subject({ site: site.siteName }, inThis),
    text: [m.mail_email_changed_new_text({ site: site.siteName }, inThis)],
    action: { label: m.mail_exists_action({}, inThis), url: `${site.appUrl}/?auth=1` },
    note: m.mail_new_address_note({}, inThis),
  }),
  // The email doesn't say what changed or why: others may read the mailbox.
  role_changed: (site, inThis) => ({
    subject: m.mail_role_subject({ site: site.siteName }, inThis),
    text: [m.mail_role_text({}, inThis)],
    action: { label: m.mail_exists_action({}, inThis), url: `${site.appUrl}/?auth=1` },
    note: m.mail_role_note({ email: site.supportEmail }, inThis),
  }),
  suspended: (site, inThis) => ({
    subject: m.mail_suspended_subject({ site: site.siteName }, inThis),
    text: [m.mail_suspended_text({}, inThis)],
    action: { label: m.mail_former_action({}, inThis), url: `${site.appUrl}/contact` },
    note: m.mail_suspended_note({}, inThis),
  }),
  restored: (site, inThis) => ({
    subject: m.mail_restored_subject({ site: site.siteName }, inThis),
    text: [m.mail_restored_text({}, inThis)],
    action: { label: m.mail_exists_action({}, inThis), url: `${site.appUrl}/?auth=1` },
  }),
  deleted: (site, inThis) => ({
    subject: m.mail_deleted_subject({ site: site.siteName }, inThis),
    text: [m.mail_deleted_text({}, inThis)],
    action: { label: m.mail_former_action({}, inThis), url: `${site.appUrl}/contact` },
    note: m.mail_suspended_note({}, inThis),
  }),
};

function securedWords(site: MailSite, inThis: { locale: Locale }, change: SecurityChange): Words {
  return {
    subject: m.mail_secured_subject({ site: site.siteName }, inThis),
    text: [
      securedTexts[change]({}, inThis),
      change === 'factor_reset' ? m.mail_secured_not_asked({}, inThis) : m.mail_secured_not_you({}, inThis),
    ],
    action: { label: m.mail_secured_action({}, inThis), url: `${site.appUrl}/reset-password` },
    note: m.mail_secured_note({ email: site.supportEmail }, inThis),
  };
}

export function accountLetter(topic: AccountTopic, name: string | null, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  if (isSecurityChange(topic.kind)) return { name, ...securedWords(site, inThis, topic.kind) };
  const write = letters[topic.kind] as (
    site: MailSite,
    inThis: { locale: Locale },
    topic: AccountTopic,
  ) => Words;
  return { name, ...write(site, inThis, topic) };
}

/** Its link requires sign-in. */
export function exportLetter(name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    name,
    subject: m.mail_export_subject({ site: site.siteName }, inThis),
    text: [m.mail_export_text({ hours: exportTerms.hours }, inThis)],
    action: { label: m.mail_export_action({}, inThis), url: privacyUrl(site) },
    note: m.mail_export_note({}, inThis),
  };
}

/** Names an account's erasure date and how to keep it. `deleteAfter` is epoch milliseconds. */
export function deletionLetter(
  { deleteAfter, timeZone }: { deleteAfter: number; timeZone: string },
  name: string,
  site: MailSite,
): Letter {
  const inThis = { locale: site.locale };
  const date = formatInstant(deleteAfter, timeZone, { dateStyle: 'long' }, site.locale);
  return {
    name,
    subject: m.mail_deletion_subject({ site: site.siteName, date }, inThis),
    text: [m.mail_deletion_text({ date }, inThis), m.mail_deletion_devices({}, inThis)],
    action: { label: m.mail_deletion_action({}, inThis), url: privacyUrl(site) },
    note: m.mail_deletion_note({}, inThis),
  };
}

function privacyUrl({ appUrl }: MailSite): string {
  return `${appUrl}/profile?tab=privacy`;
}

/** Formats epoch milliseconds in `timeZone`. */
export function longMoment(at: number, timeZone: string, locale: Locale): string {
  const options = {
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  } as const;
  return formatInstant(at, timeZone, options, locale);
}
