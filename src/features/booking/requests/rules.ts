import { opensByLink, type Door } from '#/features/accounts/rules.ts';
import type { BookingRequest } from './contract.ts';

const hour = 3_600_000;

/** How long a request can be confirmed, in milliseconds. */
const confirmable = 24 * hour;

/** How long after the session its link still leads there, in milliseconds. */
export const opensAfter = 24 * hour;

/** Until when a request can be confirmed: a day, but never past the start. Instants are epoch milliseconds. */
export function expiryOf(asked: number, start: number): number {
  return Math.min(asked + confirmable, start);
}

/** What a link leads to, for the person who acts (null: nobody is signed in); instants are epoch milliseconds. */
export function requestState(
  request: { expires: number; sessionEnd: number | null },
  {
    on,
    holder,
    self,
    now,
  }: {
    on: boolean;
    holder: Pick<Door, 'id' | 'role' | 'hasPassword'> | null;
    self: string | null;
    now: number;
  },
): BookingRequest['state'] {
  const isOther = self !== null && self !== holder?.id;
  if (request.sessionEnd !== null) {
    if (now >= request.sessionEnd + opensAfter) return 'over';
    return isOther ? 'other' : 'booked';
  }
  if (!on) return 'off';
  if (now >= request.expires) return 'expired';
  if (isOther) return 'other';
  return self === null && holder && !opensByLink(holder) ? 'sign_in' : 'open';
}

/** Where a request is confirmed, and its booking found again: `/booking/{token}`. */
export function requestPath(token: string): string {
  return `/booking/${token}`;
}
