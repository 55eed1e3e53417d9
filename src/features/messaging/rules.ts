import { isProvider, type Role } from '#/kernel/actor.ts';
import type { Conversation } from './contract.ts';

/** Preview length in characters. */
const previewLength = 140;

export function previewOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').slice(0, 2 * previewLength);
  return [...line].slice(0, previewLength).join('');
}

export interface Pair {
  side: 'client' | 'provider';
  /** May no longer be a provider role. */
  providerRole: Role;
  otherErased: boolean;
  listed: boolean;
  /** They have or had an appointment. */
  served: boolean;
  /** Messaging is on for provider and site, and the provider isn't suspended. */
  offered: boolean;
}

/** Why a conversation is closed, or null. */
export function closedReason({
  side,
  providerRole,
  otherErased,
  listed,
  served,
  offered,
}: Pair): Conversation['closed'] {
  if (otherErased) return 'erased';
  if (!isProvider(providerRole) || !offered) return 'not_served';
  // A provider's conversations are with their own clients or people who wrote first.
  return side === 'provider' || listed || served ? null : 'not_served';
}

/** Whether the actor may write first: clients to listed or past providers, providers to clients they've served. */
export function mayOpen(pair: Pair, ownRole: Role): boolean {
  if (closedReason(pair) !== null) return false;
  return pair.side === 'client' ? ownRole === 'client' : pair.served;
}

/** Unsent uploads per person, in bytes. */
export const maxUnsent = 200 * 1024 * 1024;

/** In hours. */
export const unsentHours = 24;

/** In bytes. */
export const maxAttachmentBytes = 10 * 1024 * 1024;

/** Phrase an administrator types to confirm. */
export const emergencyPhrase = 'this is an emergency';
/** Reason length in characters. */
export const shortestReason = 20;
export const longestReason = 2_000;
export const openMinutes = 30;
export const maxShown = 200;
