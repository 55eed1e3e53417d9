import type { Role } from '#/kernel/actor.ts';
import type { ProfileLimits } from './contract.ts';

const home = '/home';

/**
 * Returns a safe path on this site to continue to, otherwise home. A second slash or a backslash would name another
 * host, and browsers strip control characters.
 */
export function onwardPath(path: string | null | undefined): string {
  if (!path || path.length > 500 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) return home;
  return path;
}

/** Hours, regardless of use (NIST SP 800-63B, section 4.2.3). */
export const longestSessionHours = 12;

/** Returns when an idle session ends, capped at its longest lifetime. */
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

export interface Allowance {
  tries: number;
  seconds: number;
}

const quarterHour = 15 * 60;

/** Sign-in limits: per account, so rotating addresses doesn't help, and per network address. */
export const allowances = {
  /** Per account and known device; unknown devices share one limit. */
  passwords: { tries: 10, seconds: quarterHour },
  lockNotices: { tries: 1, seconds: 86_400 },
  /** Wrong passwords and link tokens per network address. */
  address: { tries: 50, seconds: quarterHour },
  /** Per account, kind and known device; unknown devices share one limit. */
  mails: { tries: 3, seconds: quarterHour },
  /** Guest bookings and repeated email requests per network address. */
  requests: { tries: 30, seconds: quarterHour },
  /** Sign-ups and email requests; a whole church may share one network. */
  crowd: { tries: 300, seconds: quarterHour },
  /** Same per day, against spam to thousands of strangers. */
  crowdDay: { tries: 1_000, seconds: 86_400 },
  /** Decoding is expensive. */
  photos: { tries: 30, seconds: quarterHour },
} as const satisfies Record<string, Allowance>;

export type SecurityChange =
  | 'new_device'
  | 'password_set'
  | 'factor_set_up'
  | 'factor_removed'
  | 'factor_reset'
  | 'codes_renewed';

export type AccountChange = 'role_changed' | 'suspended' | 'restored' | 'deleted';

export function mailedLink(
  appUrl: string,
  kind: 'verify' | 'reset-password' | 'unlock',
  token: string,
  next: string,
): string {
  return `${appUrl}/${kind}?token=${encodeURIComponent(token)}&next=${encodeURIComponent(onwardPath(next))}`;
}

/** Uses the fragment, which browsers never send to servers. */
export function signInPath(token: string): string {
  return `/sign-in-link#${token}`;
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

export function nameFromAddress(email: string): string {
  const words = email
    .slice(0, email.indexOf('@'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || email;
}

/** Before cropping, in megabytes of 1,048,576 bytes. */
export const maxPhotoMegabytes = 5;

/** Repeats the contract's limits for forms without its schemas; the type keeps them in sync. */
export const profileLimits: ProfileLimits = { fullName: 200, tradition: 100, focus: 60, focusAreas: 20 };
