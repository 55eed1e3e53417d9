import type { Role } from '#/kernel/actor.ts';
import type { Door } from './contract.ts';

/** Whether the administrators' portal opens for who stands before it: it wants a configured address and the role. */
export function doorFor(
  who: { email: string; role: Role } | null,
  adminEmails: readonly string[],
): Door['state'] {
  if (!who) return 'guest';
  if (!adminEmails.includes(who.email)) return 'denied';
  return who.role === 'super_admin' ? 'open' : 'waiting';
}

/** An address as the gate shows it: its first two characters, and nothing of its length. */
export function maskedAddress(email: string): string {
  return `${[...email].slice(0, 2).join('')}***`;
}
