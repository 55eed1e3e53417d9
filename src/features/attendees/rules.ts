import type { AppointmentStatus } from '#/features/appointments/appointment/contract.ts';
import { holdsTime } from '#/features/appointments/appointment/rules.ts';
import type { GuestState, Invitation } from './contract.ts';

/** Guests per session. */
const maxGuests = 4;

/** People per session: guests and both parties. */
export const maxAttendees = maxGuests + 2;

const together: readonly string[] = ['couples', 'families'];

export function isForSeveral(serviceId: string): boolean {
  return together.includes(serviceId);
}

/** Emails per invitation, and their interval in milliseconds. */
const maxSends = 3;
const sendAgainAfter = 10 * 60_000;

/** Instants are epoch milliseconds. */
interface Timed {
  status: AppointmentStatus;
  start: number;
  end: number;
}

/** Why the client can't invite now, or null. */
export function refuseInviting(
  { status, start, serviceId }: Timed & { serviceId: string },
  now: number,
): 'not_for_several' | 'wrong_status' | 'already_started' | null {
  if (!isForSeveral(serviceId)) return 'not_for_several';
  if (!holdsTime(status)) return 'wrong_status';
  return now >= start ? 'already_started' : null;
}

/** Returns how many more guests a session holds. */
export function placesLeft(expected: number): number {
  return Math.max(0, maxGuests - expected);
}

/** Why an invitation can't be resent, or null. */
export function refuseSending(
  { state, sends, sentAt }: { state: GuestState; sends: number; sentAt: number },
  now: number,
): 'invitation_answered' | 'too_many_sends' | 'just_sent' | null {
  if (state !== 'invited') return 'invitation_answered';
  if (sends >= maxSends) return 'too_many_sends';
  return now - sentAt < sendAgainAfter ? 'just_sent' : null;
}

export function invitationState(
  { state, status, end }: Omit<Timed, 'start'> & { state: GuestState },
  { party, accepted, now }: { party: boolean; accepted: boolean; now: number },
): Invitation['state'] {
  if (state === 'withdrawn' || state === 'declined' || state === 'left') return state;
  if (status === 'cancelled') return 'cancelled';
  if (!holdsTime(status) || now >= end) return 'over';
  if (party) return 'own';
  if (state === 'accepted') return accepted ? 'accepted' : 'used';
  return 'open';
}

/** Returns a first name safe for email to strangers, or null. Letters only, so names can't smuggle in URLs. */
export function plainFirstName(fullName: string): string | null {
  const first = fullName.trim().split(/\s+/u)[0] ?? '';
  return /^\p{L}[\p{L}\p{M}'’-]{0,39}$/u.test(first) ? first : null;
}

/** The token sits in the fragment, which browsers don't send to servers. */
export function invitationPath(token: string): string {
  return `/invitation#${token}`;
}
