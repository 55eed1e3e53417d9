import { makeLinkToken } from '#/features/accounts/commands.ts';
import { makeCode } from '#/features/accounts/emailed-codes/commands.ts';
import {
  exportTerms,
  linkExpiry,
  opensByLink,
  type AccountChange,
  type SecurityChange,
} from '#/features/accounts/rules.ts';
import { linkValue } from '#/features/accounts/email-change/commands.ts';
import type { EmailChangeSide } from '#/features/accounts/email-change/contract.ts';
import {
  blockedUntil,
  emailChangeOf,
  findSignInAccount,
  personOf,
  type EmailChangeRequest,
} from '#/features/accounts/queries.ts';
import { canSignUp, signUpOf } from '#/features/accounts/sign-up/queries.ts';
import type { MailKind } from '#/kernel/mail-kinds.ts';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import type { TxCtx } from '#/platform/context.ts';
import type { Delivery } from '../channels/delivery.ts';
import { findPerson } from '../queries.ts';
import {
  accountLetter,
  deletionLetter,
  exportLetter,
  isSecurityChange,
  type AccountTopic,
} from './account-letter.ts';
import { notification, type Cause } from './notification.ts';

export const accountNotifications = [
  notification({
    event: 'accounts.sign_up_requested',
    name: 'notifications.sign-up',
    sentWhenOff: 'people need its link to finish signing up',
    // Nothing for accounts with a password.
    async deliveries(tx, { signUpId, next, signInId }, { eventId, site }) {
      const signUp = await signUpOf(tx, signUpId);
      if (!signUp || !(await canSignUp(tx, signUp.email))) return [];
      const returns = signInId !== undefined;
      const token = await makeLinkToken(tx, returns ? 'program' : 'verify', signInId ?? signUpId, 24);
      return [
        {
          key: `${eventId}:${signUpId}`,
          kind: 'account_confirmation',
          to: { email: signUp.email },
          // Leave out the name: anyone could have typed it, to be sent to someone else.
          letter: accountLetter({ kind: 'verify', token, next: returns ? null : next }, null, site),
          expiresAt: linkExpiry('verify', tx.now()),
        },
      ];
    },
  }),
  notification({
    event: 'accounts.verification_requested',
    name: 'notifications.verification',
    sentWhenOff: 'people need its link to sign in',
    deliveries: (tx, account, cause) => accountDeliveries(tx, 'verify', account, cause),
  }),
  notification({
    event: 'accounts.password_reset_requested',
    name: 'notifications.password-reset',
    sentWhenOff: 'people need its link to sign in',
    deliveries: (tx, account, cause) => accountDeliveries(tx, 'reset', account, cause),
  }),
  notification({
    event: 'accounts.sign_in_link_requested',
    name: 'notifications.sign-in-link',
    sentWhenOff: 'people need its link to sign in',
    // Accounts with a password get no link but learn how to sign in.
    async deliveries(tx, { userId, signInId }, cause) {
      const account = await findSignInAccount(tx, { id: userId });
      if (account?.suspended !== false) return [];
      const opens = signInId !== undefined || opensByLink(account);
      return accountDeliveries(tx, opens ? 'sign_in' : 'sign_in_password', { userId, signInId }, cause);
    },
  }),
  notification({
    event: 'accounts.sign_in_code_requested',
    name: 'notifications.sign-in-code',
    sentWhenOff: 'people need its code to sign in',
    deliveries: (tx, { codeId, next }, cause) =>
      codeDeliveries(tx, codeId, cause, (code) => ({ kind: 'sign_in_code', code, next })),
  }),
  notification({
    event: 'accounts.confirmation_code_requested',
    name: 'notifications.confirmation-code',
    sentWhenOff: 'people need its code to set a password',
    deliveries: (tx, { codeId }, cause) =>
      codeDeliveries(tx, codeId, cause, (code) => ({ kind: 'confirmation_code', code })),
  }),
  notification({
    event: 'accounts.exists_notice',
    name: 'notifications.account-exists',
    sentWhenOff: 'it answers a sign-up, and protects the account',
    deliveries: (tx, account, cause) => accountDeliveries(tx, 'exists', account, cause),
  }),
  notification({
    event: 'accounts.welcomed',
    name: 'notifications.welcome',
    sentWhenOff: 'it answers a sign-up',
    deliveries: (tx, account, cause) => accountDeliveries(tx, 'welcome', account, cause),
  }),
  notification({
    event: 'accounts.sign_in_locked',
    name: 'notifications.sign-in-locked',
    sentWhenOff: 'people need its link to unlock their account',
    async deliveries(tx, { userId }, cause) {
      if ((await findSignInAccount(tx, { id: userId }))?.suspended !== false) return [];
      return accountDeliveries(tx, 'locked', { userId }, cause);
    },
  }),
  notification({
    event: 'accounts.email_change_requested',
    name: 'notifications.email-change',
    sentWhenOff: 'people need its links to change their email',
    async deliveries(tx, { requestId }, cause) {
      const request = await emailChangeOf(tx, { id: requestId });
      return request ? emailChangeDeliveries(tx, request, cause) : [];
    },
  }),
  notification({
    event: 'accounts.secured',
    name: 'notifications.secured',
    sentWhenOff: 'it protects the account',
    deliveries: (tx, { userId, change }, cause) => accountDeliveries(tx, change, { userId }, cause),
  }),
  notification({
    event: 'accounts.export_ready',
    name: 'notifications.export-ready',
    sentWhenOff: 'it answers a request for one’s own data, and protects the account',
    async deliveries(tx, { userId }, { eventId, site }) {
      const person = await findPerson(tx, userId);
      if (!person) return [];
      return [
        {
          key: `${eventId}:${userId}`,
          kind: 'export_ready',
          to: person,
          letter: exportLetter(person.fullName, site),
          expiresAt: tx.now().add({ hours: exportTerms.hours }),
        },
      ];
    },
  }),
  notification({
    event: 'accounts.deletion_requested',
    name: 'notifications.deletion',
    sentWhenOff: 'it says how to keep the account, and protects it',
    // Nothing if deletion was canceled.
    async deliveries(tx, { userId }, { eventId, site }) {
      const person = await findPerson(tx, userId);
      if (!person?.deleteAfter) return [];
      const deleteAfter = Date.parse(person.deleteAfter);
      return [
        {
          key: `${eventId}:${userId}`,
          kind: 'account_deletion',
          to: person,
          letter: deletionLetter(
            { deleteAfter, timeZone: knownZone(person.timeZone) },
            person.fullName,
            site,
          ),
          expiresAt: Temporal.Instant.fromEpochMilliseconds(deleteAfter),
        },
      ];
    },
  }),
];

async function emailChangeDeliveries(
  tx: TxCtx,
  request: EmailChangeRequest,
  { eventId, site }: Cause,
): Promise<Delivery[]> {
  const { id, user_id: userId, address, expires_at } = request;
  const { email, fullName } = await personOf(tx, userId);
  const holder = await findSignInAccount(tx, { email: address });
  const link = (side: EmailChangeSide) => makeLinkToken(tx, 'email-change', linkValue(side, id));
  const sent: { to: Delivery['to']; topic: AccountTopic; name: string | null }[] = [];
  if (!request.former_confirmed_at)
    sent.push({
      to: { id: userId, email },
      topic: { kind: 'email_change_former', token: await link('former'), address },
      name: fullName,
    });
  if (holder)
    sent.push({ to: { id: holder.id, email: address }, topic: { kind: 'email_change_taken' }, name: null });
  else if (!request.new_confirmed_at)
    // Anyone could have typed the address.
    sent.push({
      to: { id: userId, email: address },
      topic: { kind: 'email_change_new', token: await link('new') },
      name: null,
    });
  return sent.map(({ to, topic, name }) => ({
    key: `${eventId}:${topic.kind}`,
    kind: 'address_change',
    to,
    letter: accountLetter(topic, name, site),
    urgent: true,
    expiresAt: Temporal.Instant.fromEpochMilliseconds(expires_at.getTime()),
  }));
}

async function codeDeliveries(
  tx: TxCtx,
  codeId: string,
  { eventId, site }: Cause,
  topicOf: (code: string) => AccountTopic & { kind: 'sign_in_code' | 'confirmation_code' },
): Promise<Delivery[]> {
  const made = await makeCode(tx, codeId);
  const person = made && (await findPerson(tx, made.userId));
  if (!person) return [];
  const topic = topicOf(made.code);
  return [
    {
      key: `${eventId}:${person.id}`,
      kind: topic.kind,
      to: person,
      letter: accountLetter(topic, person.fullName, site),
      urgent: true,
      expiresAt: made.expiresAt,
    },
  ];
}

export function knownZone(timeZone: string | null): string {
  return timeZone && isKnownZone(timeZone) ? timeZone : 'UTC';
}

const mailKinds = {
  verify: 'account_confirmation',
  reset: 'password_reset',
  exists: 'account_exists',
  sign_in: 'sign_in_link',
  sign_in_password: 'sign_in_link',
  welcome: 'welcome',
  locked: 'sign_in_unlock',
  role_changed: 'account_change',
  suspended: 'account_change',
  restored: 'account_change',
  deleted: 'account_change',
} as const satisfies Readonly<Record<Exclude<PersonalTopic, SecurityChange>, MailKind>>;

type PersonalTopic =
  | keyof typeof linkKinds
  | 'exists'
  | 'sign_in_password'
  | 'welcome'
  | SecurityChange
  | AccountChange;

const linkKinds = {
  verify: 'verify',
  reset: 'reset-password',
  locked: 'unlock',
  sign_in: 'sign-in',
} as const;

function hasLink(topic: PersonalTopic): topic is keyof typeof linkKinds {
  return topic in linkKinds;
}

/**
 * Writes to an account holder; to verify an address, only while that is needed. `next` is where its link leads, unless it
 * returns to the program of `signInId`.
 */
export async function accountDeliveries(
  tx: TxCtx,
  topic: PersonalTopic,
  { userId, next = '/home', signInId }: { userId: string; next?: string; signInId?: string | undefined },
  { eventId, site }: Cause,
): Promise<Delivery[]> {
  const person = await findPerson(tx, userId);
  if (!person || (topic === 'verify' && person.emailVerified)) return [];
  // Links don't work during the hold; the new address gets its own afterwards.
  if (hasLink(topic) && (await blockedUntil(tx, userId))) return [];
  const returns = signInId !== undefined;
  const content = hasLink(topic)
    ? {
        kind: topic,
        next: returns ? null : next,
        token: returns
          ? await makeLinkToken(tx, 'program', signInId)
          : await makeLinkToken(tx, linkKinds[topic], userId),
      }
    : { kind: topic, next };
  return [
    {
      key: `${eventId}:${userId}`,
      kind: isSecurityChange(topic) ? 'account_security' : mailKinds[topic],
      to: person,
      letter: accountLetter(content, person.fullName, site),
      urgent: true,
      expiresAt: hasLink(topic) ? linkExpiry(linkKinds[topic], tx.now()) : undefined,
    },
  ];
}
