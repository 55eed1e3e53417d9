import type { MailKind } from '#/kernel/mail-kinds.ts';
import { m } from '#/texts/messages.js';
import type { Fault, UndeliveredMail } from '../contract.ts';

const kinds: Readonly<Record<MailKind, () => string>> = {
  account_change: m.undelivered_kind_account_change,
  account_confirmation: m.undelivered_kind_account_confirmation,
  account_deletion: m.undelivered_kind_account_deletion,
  account_exists: m.undelivered_kind_account_exists,
  account_security: m.undelivered_kind_account_security,
  address_change: m.undelivered_kind_address_change,
  application_decision: m.undelivered_kind_application_decision,
  booking_link: m.undelivered_kind_booking_link,
  client_invitation: m.undelivered_kind_client_invitation,
  community: m.undelivered_kind_community,
  confirmation_code: m.undelivered_kind_confirmation_code,
  contact_answer: m.undelivered_kind_contact_answer,
  contact_message: m.undelivered_kind_contact_message,
  contact_receipt: m.undelivered_kind_contact_receipt,
  credential_decision: m.undelivered_kind_credential_decision,
  devotional: m.undelivered_kind_devotional,
  emergency_access: m.messaging_emergency_title,
  export_ready: m.undelivered_kind_export_ready,
  guest_answer: m.undelivered_kind_guest_answer,
  guest_invitation: m.undelivered_kind_guest_invitation,
  license_end: m.undelivered_kind_license_end,
  message: m.undelivered_kind_message,
  password_reset: m.undelivered_kind_password_reset,
  prayer: m.undelivered_kind_prayer,
  reminder: m.undelivered_kind_reminder,
  resource_decision: m.undelivered_kind_resource_decision,
  review_decision: m.undelivered_kind_review_decision,
  review_reply_decision: m.undelivered_kind_review_reply_decision,
  session: m.undelivered_kind_session,
  sign_in_code: m.undelivered_kind_sign_in_code,
  sign_in_link: m.undelivered_kind_sign_in_link,
  sign_in_unlock: m.undelivered_kind_sign_in_unlock,
  specialist_welcome: m.undelivered_kind_specialist_welcome,
  waitlist_offer: m.undelivered_kind_waitlist_offer,
  welcome: m.undelivered_kind_welcome,
};

const faults: Readonly<Record<Fault, () => string>> = {
  address: m.undelivered_fault_address,
  full: m.undelivered_fault_full,
  too_large: m.undelivered_fault_too_large,
  blocked: m.undelivered_fault_blocked,
  unreachable: m.undelivered_fault_unreachable,
  expired: m.undelivered_fault_expired,
  other: m.undelivered_fault_other,
};

const linked: readonly (MailKind | null)[] = [
  'account_confirmation',
  'password_reset',
  'booking_link',
  'confirmation_code',
  'sign_in_code',
  'sign_in_link',
  'sign_in_unlock',
];

export function kindText({ kind }: UndeliveredMail): string {
  return kind ? kinds[kind]() : m.undelivered_kind_unknown();
}

export function faultText({ fault }: UndeliveredMail): string {
  return faults[fault]();
}

export function expiredText({ kind }: UndeliveredMail): string {
  return linked.includes(kind) ? m.undelivered_expired_link() : m.undelivered_expired();
}
