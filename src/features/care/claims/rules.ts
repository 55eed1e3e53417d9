import { opensByLinkOf, type Door } from '#/features/accounts/rules.ts';
import type { ClientInvitation } from './contract.ts';

/** How long a mailed link works, in hours. */
export const claimHours = 30 * 24;

/** What a link that was made then (epoch milliseconds) leads to, for the person who acts (null: nobody is signed in). */
export function claimState(
  made: number,
  holder: Door | null,
  self: string | null,
): ClientInvitation['state'] {
  if (self !== null) return self === holder?.id ? 'open' : 'other';
  return holder && !opensByLinkOf(made, holder) ? 'sign_in' : 'open';
}

/** Where an invitation is answered. Its secret follows `#`, so that no server or log is told it. */
export function claimPath(token: string): string {
  return `/client-invitation#${token}`;
}
