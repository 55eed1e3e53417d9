import { opensByLink, type SignInAccount } from '#/features/accounts/rules.ts';
import type { BookingRequest } from './contract.ts';

const hour = 3_600_000;

const confirmable = 24 * hour;

/** How long used links are remembered, in milliseconds. */
export const usedFor = 24 * hour;

/** Returns the deadline: a day, but never past the start. Epoch milliseconds. */
export function expiryOf(asked: number, start: number): number {
  return Math.min(asked + confirmable, start);
}

/** `self` is null when signed out; epoch milliseconds. */
export function requestState(
  request: { asked: number; expires: number; booked: boolean },
  {
    on,
    holder,
    self,
    now,
  }: {
    on: boolean;
    holder: Pick<SignInAccount, 'id' | 'role' | 'hasPassword' | 'linksEnded'> | null;
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

/** The token sits in the fragment, which browsers don't send to servers. */
export function requestPath(token: string): string {
  return `/booking#${token}`;
}
