import type { SessionType } from '#/features/providers/contract.ts';

export const maxCandidates = 100;
export const maxTakers = 10;

/** In-person sessions would change location; guests consented to this specialist. */
export function canReassign({
  row,
  withGuests,
}: {
  row: { session_type: SessionType };
  withGuests: boolean;
}): boolean {
  return row.session_type !== 'in-person' && !withGuests;
}
