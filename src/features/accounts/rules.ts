import type { Role } from '#/kernel/actor.ts';
import type { ProfileLimits } from './contract.ts';

/** Where the signed-in go when nothing was interrupted. */
const home = '/home';

/**
 * Where to go on after a sign-in or a mailed link: a path of this site, or home for whatever else was sent.
 * A second slash or a backslash would name another host; control characters are dropped by browsers on the way.
 */
export function onwardPath(path: string | null | undefined): string {
  if (!path || path.length > 500 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) return home;
  return path;
}

/** A session's longest life whatever its use, in hours (NIST SP 800-63B, section 4.2.3). */
export const longestSessionHours = 12;

/** When a session ends if it isn't used again: after the idle minutes, but never past its longest life. */
export function sessionEnd(
  started: Temporal.Instant,
  used: Temporal.Instant,
  idleMinutes: number,
): Temporal.Instant {
  const idle = used.add({ minutes: idleMinutes });
  const last = started.add({ hours: longestSessionHours });
  return Temporal.Instant.compare(idle, last) < 0 ? idle : last;
}

/** How long before its end a session's person is warned, in seconds: at most a fifth of the shortest idle time. */
export function warningSeconds(idleMinutes: number): number {
  return idleMinutes < 10 ? 60 : 120;
}

/** How many tries are allowed in a window of seconds. */
export interface Allowance {
  tries: number;
  seconds: number;
}

const quarterHour = 15 * 60;

/** The limits of the ways in: per account, so that many addresses don't help, and per network address. */
export const allowances = {
  /** Wrong passwords for one account: from each device that it knows, and from all others together. */
  passwords: { tries: 10, seconds: quarterHour },
  /** Mails to one account that say that others have tried too many passwords. */
  lockNotices: { tries: 1, seconds: 86_400 },
  /** Wrong passwords and links from one network address. */
  address: { tries: 50, seconds: quarterHour },
  /** Mails of one kind to one account: asked for from each device that it knows, and from all others together. */
  mails: { tries: 3, seconds: quarterHour },
  /** Guest bookings from one network address, and requests for mails to people who have just had theirs. */
  requests: { tries: 30, seconds: quarterHour },
  /** All sign-ups and all requests for mails from one network address: a whole church may share it. */
  crowd: { tries: 300, seconds: quarterHour },
  /** The same in a day, so that nobody emails thousands of strangers. */
  crowdDay: { tries: 1_000, seconds: 86_400 },
  /** Photos of one person, each of which has to be decoded. */
  photos: { tries: 30, seconds: quarterHour },
} as const satisfies Record<string, Allowance>;

/** What has changed about the ways into an account. */
export type SecurityChange =
  | 'new_device'
  | 'password_set'
  | 'factor_set_up'
  | 'factor_removed'
  /** By an administrator. */
  | 'factor_reset'
  | 'codes_renewed';

/** What an administrator has done with an account. */
export type AccountChange = 'role_changed' | 'suspended' | 'restored' | 'deleted';

/** The page that a mailed link opens, with where the person goes on from there. */
export function mailedLink(
  appUrl: string,
  kind: 'verify' | 'reset-password' | 'unlock',
  token: string,
  next: string,
): string {
  return `${appUrl}/${kind}?token=${encodeURIComponent(token)}&next=${encodeURIComponent(onwardPath(next))}`;
}

/** Where a mailed link leads that signs in. Browsers keep what follows the # to themselves. */
export function signInPath(token: string): string {
  return `/sign-in-link#${token}`;
}

/** How an account is signed in to. */
export interface Door {
  id: string;
  role: Role;
  hasPassword: boolean;
  suspended: boolean;
  /** Links that were asked for before it let nobody in; epoch milliseconds. */
  linksEnded: number | null;
}

/** Whether who holds its mailbox is let in by a link alone: to a client's account that has no other way in. */
export function opensByLink({ role, hasPassword }: Pick<Door, 'role' | 'hasPassword'>): boolean {
  return role === 'client' && !hasPassword;
}

/** Whether a link that was made then (epoch milliseconds) still lets in by itself: its account may have ended its links since. */
export function opensByLinkOf(
  made: number,
  door: Pick<Door, 'role' | 'hasPassword' | 'linksEnded'>,
): boolean {
  return opensByLink(door) && !(door.linksEnded !== null && made <= door.linksEnded);
}

/** What to call a person of whom only the address is known: its part before the @, in words. */
export function nameFromAddress(email: string): string {
  const words = email
    .slice(0, email.indexOf('@'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || email;
}

/** A photo as it is chosen, before it is cut and made smaller, has at most so many megabytes (of 1,048,576 bytes). */
export const maxPhotoMegabytes = 5;

/** The contract's limits for forms, which don't load its shapes; the type holds the two together. */
export const profileLimits: ProfileLimits = { fullName: 200, tradition: 100, focus: 60, focusAreas: 20 };
