import { isProvider, type Role } from '#/kernel/actor.ts';
import type { Conversation } from './contract.ts';

/** How much of a message a list shows, in characters. */
const previewLength = 140;

/** The beginning of a message, in one line. */
export function previewOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').slice(0, 2 * previewLength);
  return [...line].slice(0, previewLength).join('');
}

/** The two of a conversation, as far as it matters for whether one of them may write to the other. */
export interface Pair {
  /** What the one who writes is in it. */
  side: 'client' | 'provider';
  /** The role of whoever is its provider, which an account can lose. */
  providerRole: Role;
  otherErased: boolean;
  /** The provider stands in the directory. */
  listed: boolean;
  /** The two have or had an appointment. */
  served: boolean;
  /** The provider exchanges messages, as far as the site lets them. */
  offered: boolean;
}

/** Why nothing can be written any more in a conversation that there is. */
export function closedFor({
  side,
  providerRole,
  otherErased,
  listed,
  served,
  offered,
}: Pair): Conversation['closed'] {
  if (otherErased) return 'erased';
  if (!isProvider(providerRole) || !offered) return 'not_served';
  // A provider has one only with whom they serve, or who wrote to them.
  return side === 'provider' || listed || served ? null : 'not_served';
}

/** Whether somebody may write first: a client to whom they know or who is listed, a provider to whom they serve. */
export function mayOpen(pair: Pair, ownRole: Role): boolean {
  if (closedFor(pair) !== null) return false;
  return pair.side === 'client' ? ownRole === 'client' : pair.served;
}
