import type { Role } from '#/kernel/actor.ts';

/** Hours available, and exports allowed per day. */
export const exportTerms = { hours: 24, aDay: 5 } as const;

export const archivePath = '/me/export.zip';

const home = '/home';

/**
 * Returns a safe path on this site to continue to, otherwise home. A second slash or a backslash would name another
 * host, and browsers strip control characters.
 */
export function safeReturnPath(path: string | null | undefined): string {
  if (!path || path.length > 500 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) return home;
  return path;
}

/** Hours, regardless of use (NIST SP 800-63B, section 4.2.3). */
export const longestSessionHours = 12;

/** Capped at the longest lifetime. */
export function sessionEnd(
  started: Temporal.Instant,
  used: Temporal.Instant,
  idleMinutes: number,
): Temporal.Instant {
  const idle = used.add({ minutes: idleMinutes });
  const last = started.add({ hours: longestSessionHours });
  return Temporal.Instant.compare(idle, last) < 0 ? idle : last;
}

/** Returns seconds of warning, at most a fifth of the shortest idle time. */
export function warningSeconds(idleMinutes: number): number {
  return idleMinutes < 10 ? 60 : 120;
}

export type SecurityChange =
  | 'new_device'
  | 'password_set'
  | 'factor_set_up'
  | 'factor_removed'
  | 'factor_reset'
  | 'codes_renewed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'identity_connected'
  | 'identity_disconnected'
  | 'phone_added'
  | 'phone_removed'
  | 'api_token_created'
  | 'site_token_created'
  | 'recovery_key'
  | 'words_deleted';

export type AccountChange = 'role_changed' | 'suspended' | 'restored' | 'deleted';

/** Puts tokens after `#`, which servers never get. `next` is null for a link that returns to a program. */
export function mailedLink(
  appUrl: string,
  kind: 'verify' | 'reset-password' | 'unlock',
  token: string,
  next: string | null,
): string {
  if (next === null) return `${appUrl}${returnPath(token)}`;
  return `${appUrl}/${kind}?next=${encodeURIComponent(safeReturnPath(next))}#${token}`;
}

/** Returns to the program that requested the link. */
export function returnPath(token: string): string {
  return `/return-to-app#${token}`;
}

export function resetPasswordPath(
  token: string,
  { next = home, asksName = false }: { next?: string; asksName?: boolean } = {},
): string {
  return `/reset-password?next=${encodeURIComponent(next)}${asksName ? '&asksName=true' : ''}#${token}`;
}

export function addressChangePath(token: string): string {
  return `/address-change#${token}`;
}

export function emailChangePath(token: string): string {
  return `/email-change#${token}`;
}

export function signInPath(token: string): string {
  return `/sign-in-link#${token}`;
}

/** Lifetimes of single-use links. */
const linkLasts = {
  verify: { hours: 24 },
  'reset-password': { hours: 1 },
  /** Remembers the device without signing in. */
  unlock: { hours: 24 },
  'sign-in': { minutes: 10 },
  /** Returns to a program, with a code. */
  program: { hours: 1 },
  'email-change': { hours: 24 },
} as const;

export type LinkKind = keyof typeof linkLasts;

/** `hours` overrides the link kind's default lifetime. */
export function linkExpiry(kind: LinkKind, now: Temporal.Instant, hours?: number): Temporal.Instant {
  return now.add(hours === undefined ? linkLasts[kind] : { hours });
}

/** Returns the role that someone acts in: administrators outside ADMIN_EMAILS act as clients. */
export function actingRole(
  { role, email }: { role: Role; email: string },
  adminEmails: readonly string[],
): Role {
  return role === 'super_admin' && !adminEmails.includes(email) ? 'client' : role;
}

export interface SignInAccount {
  id: string;
  role: Role;
  hasPassword: boolean;
  suspended: boolean;
  /** Epoch milliseconds; links requested earlier no longer work. */
  linksEnded: number | null;
}

/** Only client accounts without a password sign in by link alone. */
export function opensByLink({ role, hasPassword }: Pick<SignInAccount, 'role' | 'hasPassword'>): boolean {
  return role === 'client' && !hasPassword;
}

/**
 * Returns true if a link created at `made` (epoch milliseconds) still signs in: the account opens by link and hasn't
 * ended its links since.
 */
export function opensByLinkOf(
  made: number,
  account: Pick<SignInAccount, 'role' | 'hasPassword' | 'linksEnded'>,
): boolean {
  return opensByLink(account) && !(account.linksEnded !== null && made <= account.linksEnded);
}

export const codeDigits = 6;

/** Accepts spaces. */
export function isEmailedCode(typed: string): boolean {
  return new RegExp(`^\\d{${codeDigits}}$`).test(typed.replaceAll(/\s/g, ''));
}

/** Minutes an emailed sign-in code works. */
export const codeMinutes = 10;

/** Wrong tries of an emailed code before a new one is needed. */
export const codeTries = 5;

/**
 * Returns true if an emailed code signs in: only with a verified address, and without a password only where a link
 * would. Otherwise a stranger's unconfirmed password could stay beside the owner's code.
 */
export function opensByCode(
  account: Pick<SignInAccount, 'role' | 'hasPassword'> & { email: string; emailVerified: boolean },
  adminEmails: readonly string[],
): boolean {
  const { email, emailVerified, hasPassword } = account;
  return emailVerified && (hasPassword || (opensByLink(account) && !adminEmails.includes(email)));
}

/** Returns true once an account's deletion is due, before it's erased. */
export function isDeleted({ deleteAfter }: { deleteAfter: string | null }, now: Temporal.Instant): boolean {
  return deleteAfter !== null && Date.parse(deleteAfter) <= now.epochMilliseconds;
}

/** The code follows the `#`, which browsers never send to servers. Works only in the browser that asked. */
export function signInCodePath(code: string, next: string): string {
  return `/sign-in-code?next=${encodeURIComponent(safeReturnPath(next))}#${code}`;
}

export function nameFromAddress(email: string): string {
  const words = email
    .slice(0, email.indexOf('@'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || email;
}

/** Before cropping, in megabytes of 1,048,576 bytes. */
export const maxPhotoMegabytes = 5;

/** Hours the former address can undo a change; an administrator's blocks sign-in meanwhile. */
export const undoHours = 72;

/** Days an unconfirmed change of address keeps journals and private notes locked. */
export const lockDays = 7;

const unclaimedEnding = '@unclaimed.invalid';

/** Placeholder email of an account that nobody has claimed; `.invalid` is never deliverable (RFC 2606, section 2). */
export function unclaimedAddress(personId: string): string {
  return `${personId}${unclaimedEnding}`;
}

export function isUnclaimed({ email }: { email: string }): boolean {
  return email.endsWith(unclaimedEnding);
}

/** Returns null for an unclaimed account's placeholder. */
export function knownAddress(email: string): string | null {
  return email.endsWith(unclaimedEnding) ? null : email;
}

/** Placeholder email of an erased account. */
export function erasedAddress(personId: string): string {
  return `${personId}@deleted.invalid`;
}

/**
 * Preferences to switch on or off, by column of `profiles` and section of the settings page. All are off for an
 * erased account.
 */
export const preferences = {
  keepDiscreet: { column: 'keep_discreet', section: 'discretion' },
  sessionReminders: { column: 'session_reminders', section: 'sent' },
  dailyDevotionals: { column: 'daily_devotionals', section: 'sent' },
  communityUpdates: { column: 'community_updates', section: 'sent' },
} as const;

export type Preference = keyof typeof preferences;

export type PreferenceColumn = (typeof preferences)[Preference]['column'];

export type PreferenceSection = (typeof preferences)[Preference]['section'];

const preferenceIds = Object.keys(preferences) as Preference[];

export const preferenceColumns: readonly PreferenceColumn[] = preferenceIds.map(
  (id) => preferences[id].column,
);

export function preferencesIn(section: PreferenceSection): Preference[] {
  return preferenceIds.filter((id) => preferences[id].section === section);
}

export function byPreference<Value>(of: (id: Preference) => Value): Record<Preference, Value> {
  return Object.fromEntries(preferenceIds.map((id) => [id, of(id)])) as Record<Preference, Value>;
}

export function byPreferenceColumn<Value>(of: (id: Preference) => Value): Record<PreferenceColumn, Value> {
  return Object.fromEntries(preferenceIds.map((id) => [preferences[id].column, of(id)])) as Record<
    PreferenceColumn,
    Value
  >;
}
