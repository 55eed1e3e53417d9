import type { Role } from '#/kernel/actor.ts';
import type { PortalState } from '../contract.ts';

/** Opens the portal only to configured emails. */
export function portalStateFor(
  who: { email: string; role: Role } | null,
  adminEmails: readonly string[],
): PortalState['state'] {
  if (!who) return 'guest';
  if (!adminEmails.includes(who.email)) return 'denied';
  return who.role === 'super_admin' ? 'open' : 'waiting';
}

/** Masks an email to its first two characters, hiding its length. */
export function maskedAddress(email: string): string {
  return `${[...email].slice(0, 2).join('')}***`;
}
