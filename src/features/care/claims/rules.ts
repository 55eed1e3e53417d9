import { opensByLinkOf, type SignInAccount } from '#/features/accounts/rules.ts';
import type { ClientInvitation } from './contract.ts';

/** Link lifetime in hours. */
export const claimHours = 30 * 24;

/** Takes `made` in epoch milliseconds; `self` is null if signed out. */
export function claimState(
  made: number,
  holder: SignInAccount | null,
  self: string | null,
): ClientInvitation['state'] {
  if (self !== null) return self === holder?.id ? 'open' : 'other';
  return holder && !opensByLinkOf(made, holder) ? 'sign_in' : 'open';
}

/** Puts the token in the URL fragment, hidden from servers and logs. */
export function claimPath(token: string): string {
  return `/client-invitation#${token}`;
}
