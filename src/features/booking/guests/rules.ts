import type { AppointmentStatus } from '../contract.ts';
import { holdsTime } from '../life-cycle/rules.ts';
import type { GuestState, Invitation } from './contract.ts';

/** How many beside the client may be invited to one session: with both parties six people at most. */
export const mostGuests = 4;

/** The services of the catalogue that several people come to together. */
const together: readonly string[] = ['couples', 'families'];

/** Whether a service is for several people. */
export function isForSeveral(serviceId: string): boolean {
  return together.includes(serviceId);
}

/** How often one invitation is mailed at most, and how long after the last time, in milliseconds. */
const mostSends = 3;
const sendAgainAfter = 10 * 60_000;

/** Instants are epoch milliseconds. */
interface Timed {
  status: AppointmentStatus;
  start: number;
  end: number;
}

/** Why a client can't invite anybody to a session now, or null if they can. */
export function refuseInviting(
  { status, start, serviceId }: Timed & { serviceId: string },
  { expected, now }: { expected: number; now: number },
): 'not_for_several' | 'wrong_status' | 'already_started' | 'guests_full' | null {
  if (!isForSeveral(serviceId)) return 'not_for_several';
  if (!holdsTime(status)) return 'wrong_status';
  if (now >= start) return 'already_started';
  return expected >= mostGuests ? 'guests_full' : null;
}

/** Why an invitation isn't mailed again, or null if it is. */
export function refuseSending(
  { state, sends, sentAt }: { state: GuestState; sends: number; sentAt: number },
  now: number,
): 'invitation_answered' | 'too_many_sends' | 'just_sent' | null {
  if (state !== 'invited') return 'invitation_answered';
  if (sends >= mostSends) return 'too_many_sends';
  return now - sentAt < sendAgainAfter ? 'just_sent' : null;
}

/** What an invitation's link leads to, for one who is or isn't one of the two parties, or who accepted it. */
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

/** A first name as it may stand in a mail to a stranger: letters alone, so that nobody mails an address by it; else null. */
export function plainFirstName(fullName: string): string | null {
  const first = fullName.trim().split(/\s+/u)[0] ?? '';
  return /^\p{L}[\p{L}\p{M}'’-]{0,39}$/u.test(first) ? first : null;
}

/** The page of an invitation. Browsers don't send what follows the #. */
export function invitationPath(token: string): string {
  return `/invitation#${token}`;
}
