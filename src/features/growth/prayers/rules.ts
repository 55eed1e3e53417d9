import type { Role } from '#/kernel/actor.ts';
import type { PrayerAudience, PrayerState } from './contract.ts';

/** A prayer request as far as it decides who may read it. */
export interface AskedPrayer {
  audience: PrayerAudience;
  providerId: string | null;
  state: PrayerState;
}

/** Whether a provider is asked by a request: by name, or with all pastors; never by one that was taken back. */
export function isAsked(
  { audience, providerId, state }: AskedPrayer,
  by: { id: string; role: Role },
): boolean {
  if (state === 'closed') return false;
  return audience === 'pastors' ? by.role === 'pastor' : providerId === by.id;
}

/** What those who are asked read of the client's name: nothing, all of it for the one counsellor, the first name for pastors. */
export function shownName(
  fullName: string,
  { audience, showName }: { audience: PrayerAudience; showName: boolean },
): string | null {
  if (!showName) return null;
  return audience === 'counsellor' ? fullName : (fullName.trim().split(/\s+/)[0] ?? fullName);
}

/** Whether a request may go from one state to another: one whose counsellor is gone isn't opened again. */
export function maySettle(request: AskedPrayer, state: PrayerState): boolean {
  return state === 'closed' || request.audience === 'pastors' || request.providerId !== null;
}
