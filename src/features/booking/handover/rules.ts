import type { SessionType } from '#/features/providers/contract.ts';
import type { LongestReason } from './contract.ts';

/** The contract's limit for forms, which don't load its shapes. */
export const longestReason: LongestReason = 500;

/** So many other specialists are looked at for all sessions, and so many offered for one. */
export const mostCandidates = 100;
export const mostTakers = 10;

/**
 * Whether another specialist can hold a session at all: one in person would be at another place, and guests agreed to
 * come to this specialist.
 */
export function canReassign({
  row,
  withGuests,
}: {
  row: { session_type: SessionType };
  withGuests: boolean;
}): boolean {
  return row.session_type !== 'in-person' && !withGuests;
}
