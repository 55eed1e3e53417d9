import type { Readdressed } from '#/features/accounts/address-change/commands.ts';
import { heldUntil } from '#/features/accounts/address-change/queries.ts';
import { linkExpiry, makeLinkToken } from '#/features/accounts/commands.ts';
import { doorOf, personOf, personsOf } from '#/features/accounts/queries.ts';
import { opensByLink, type AccountChange, type SecurityChange } from '#/features/accounts/rules.ts';
import { canSignUp, signUpOf } from '#/features/accounts/sign-up/queries.ts';
import type { MailKind } from '#/kernel/mail-kinds.ts';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { identityLetter, lastWord, momentText, type IdentityMatter } from './rules.ts';

interface IdentityMail {
  userId: string;
  next: string;
  eventId: string;
  appUrl: string;
}

/** Emails the address verification link, unless already verified. */
export async function mailVerification(ctx: Ctx, mail: IdentityMail): Promise<void> {
  await mailPerson(ctx, mail, 'verify');
}

/** Emails the sign-up confirmation link, unless the address has an account with a password. */
export async function mailSignUp(
  ctx: Ctx,
  { signUpId, next, eventId, appUrl }: { signUpId: string; next: string; eventId: string; appUrl: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const signUp = await signUpOf(tx, signUpId);
    if (!signUp || !(await canSignUp(tx, signUp.email))) return;
    const matter = { kind: 'verify', next, token: await makeLinkToken(tx, 'verify', signUpId) } as const;
    const site = await mailSite(tx, appUrl);
    // Leave out the name: anyone could have typed it, to be sent to someone else.
    const letter = identityLetter(matter, null, site);
    await sendMail(tx, {
      key: `${eventId}:${signUpId}`,
      kind: 'account_confirmation',
      to: signUp.email,
      ...setLetter(letter, site),
      expiresAt: linkExpiry('verify', tx.now()),
    });
  });
}

export async function mailPasswordReset(ctx: Ctx, mail: IdentityMail): Promise<void> {
  await mailPerson(ctx, mail, 'reset');
}

/** Emails a sign-in link to accounts without a password; others learn how to sign in. */
export async function mailSignInLink(
  ctx: Ctx,
  { userId, ...mail }: { userId: string; eventId: string; appUrl: string },
): Promise<void> {
  const door = await doorOf(ctx, { id: userId });
  if (door?.suspended !== false) return;
  const kind = opensByLink(door) ? 'sign_in' : 'sign_in_password';
  await mailPerson(ctx, { ...mail, userId, next: '/home' }, kind);
}

export async function mailAccountExists(ctx: Ctx, mail: IdentityMail): Promise<void> {
  await mailPerson(ctx, mail, 'exists');
}

export async function mailWelcome(
  ctx: Ctx,
  mail: { userId: string; eventId: string; appUrl: string },
): Promise<void> {
  await mailPerson(ctx, { ...mail, next: '/home' }, 'welcome');
}

/** Emails a link that unlocks sign-in for the owner's browser after others' failed attempts locked the account. */
export async function mailLock(
  ctx: Ctx,
  { userId, ...mail }: { userId: string; eventId: string; appUrl: string },
): Promise<void> {
  if ((await doorOf(ctx, { id: userId }))?.suspended === false)
    await mailPerson(ctx, { ...mail, userId, next: '/home' }, 'locked');
}

export async function mailSecured(
  ctx: Ctx,
  { change, ...mail }: { userId: string; change: SecurityChange; eventId: string; appUrl: string },
): Promise<void> {
  await mailPerson(ctx, { ...mail, next: '/home' }, change);
}

/** Notifies the former and new address of a change made by an administrator. */
export async function mailAddresses(
  tx: TxCtx,
  userId: string,
  { from, to }: { from: string; to: string },
  outcome: Readdressed,
  appUrl: string,
): Promise<void> {
  const { fullName, timeZone } = await personOf(tx, userId);
  const site = await mailSite(tx, appUrl);
  const until =
    outcome.kind === 'held'
      ? momentText(outcome.until.epochMilliseconds, knownZone(timeZone), site.locale)
      : '';
  const token = outcome.kind === 'held' ? outcome.token : null;
  const letters: [string, IdentityMatter][] = [
    [from, token ? { kind: 'address_changed', token, until } : { kind: 'former_address' }],
  ];
  if (outcome.kind === 'held') letters.push([to, { kind: 'new_address', until }]);
  if (outcome.kind === 'given_back') letters.push([to, { kind: 'address_given_back' }]);
  for (const [address, matter] of letters) {
    const letter = setLetter(identityLetter(matter, fullName, site), site);
    await sendMail(tx, {
      key: `${tx.newId()}:${userId}`,
      kind: 'address_change',
      to: address,
      ...letter,
      expiresAt: outcome.kind === 'held' ? outcome.until : undefined,
    });
  }
}

function knownZone(timeZone: string | null): string {
  return timeZone && isKnownZone(timeZone) ? timeZone : 'UTC';
}

export async function mailAccountChange(
  tx: TxCtx,
  userId: string,
  change: AccountChange,
  appUrl: string,
): Promise<void> {
  const eventId = change === 'deleted' ? `${lastWord}${tx.newId()}` : tx.newId();
  await mailPerson(tx, { userId, next: '/home', eventId, appUrl }, change);
}

const mailKinds = {
  verify: 'account_confirmation',
  reset: 'password_reset',
  exists: 'account_exists',
  sign_in: 'sign_in_link',
  sign_in_password: 'sign_in_link',
  welcome: 'welcome',
  locked: 'sign_in_unlock',
  new_device: 'account_security',
  password_set: 'account_security',
  factor_set_up: 'account_security',
  factor_removed: 'account_security',
  factor_reset: 'account_security',
  codes_renewed: 'account_security',
  role_changed: 'account_change',
  suspended: 'account_change',
  restored: 'account_change',
  deleted: 'account_change',
} as const satisfies Readonly<Record<PersonalMail, MailKind>>;

type PersonalMail =
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

/** Link lifetimes in hours that differ from their kind's default. */
const lasting: { [K in keyof typeof linkKinds]?: number } = { sign_in: 1 };

function isLinked(kind: PersonalMail): kind is keyof typeof linkKinds {
  return kind in linkKinds;
}

/** Ignores the notification setting: people need these emails to sign in. */
async function mailPerson(
  ctx: Ctx,
  { userId, next, eventId, appUrl }: IdentityMail,
  kind: PersonalMail,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const person = (await personsOf(tx, [userId])).get(userId);
    if (!person || (kind === 'verify' && person.emailVerified)) return;
    // Links don't work during the hold; the new address gets its own afterwards.
    if (isLinked(kind) && (await heldUntil(tx, userId))) return;
    const matter = isLinked(kind)
      ? { kind, next, token: await makeLinkToken(tx, linkKinds[kind], userId, lasting[kind]) }
      : { kind, next };
    const site = await mailSite(tx, appUrl);
    const letter = identityLetter(matter, person.fullName, site);
    await sendMail(tx, {
      key: `${eventId}:${userId}`,
      kind: mailKinds[kind],
      to: person.email,
      ...setLetter(letter, site),
      urgent: true,
      expiresAt: isLinked(kind) ? linkExpiry(linkKinds[kind], tx.now(), lasting[kind]) : undefined,
    });
  });
}
