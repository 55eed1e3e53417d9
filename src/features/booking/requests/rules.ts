import { opensByLink, type Door } from '#/features/accounts/rules.ts';
import type { BookingRequest } from './contract.ts';

const hour = 3_600_000;

/** How long a request can be confirmed, in milliseconds. */
const confirmable = 24 * hour;

/** How long after the session it is known that its link was used, in milliseconds. */
export const usedFor = 24 * hour;

/** Until when a request can be confirmed: a day, but never past the start. Instants are epoch milliseconds. */
export function expiryOf(asked: number, start: number): number {
  return Math.min(asked + confirmable, start);
}

/** What a link leads to, for the person who acts (null: nobody is signed in); instants are epoch milliseconds. */
export function requestState(
  request: { asked: number; expires: number; booked: boolean },
  {
    on,
    holder,
    self,
    now,
  }: {
    on: boolean;
    holder: Pick<Door, 'id' | 'role' | 'hasPassword' | 'linksEnded'> | null;
    self: string | null;
    now: number;
  },
): BookingRequest['state'] {
  if (request.booked) return 'used';
  if (!on) return 'off';
  if (now >= request.expires) return 'expired';
  if (self !== null) return self === holder?.id ? 'open' : 'other';
  if (holder?.linksEnded && request.asked <= holder.linksEnded) return 'expired';
  return holder && !opensByLink(holder) ? 'sign_in' : 'open';
}

/** Where a request is confirmed. Browsers keep what follows the # to themselves. */
export function requestPath(token: string): string {
  return `/booking#${token}`;
}
