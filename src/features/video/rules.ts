import type { AppointmentStatus } from '#/features/booking/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import type { RoomPart, RoomRefusal, SessionPage } from './contract.ts';

/** How long before the start a room opens, in milliseconds. */
const opensBefore = 10 * 60_000;
/** How long after the end it closes. */
const closesAfter = 15 * 60_000;
/** How many people fit into a room, the provider with them. */
const mostPeople = 6;
/** How many browsers of one person may be in a room; the oldest makes place for another. */
export const mostPeersOfPerson = 3;

/** What decides about a room; instants are epoch milliseconds. */
export interface RoomQuery {
  status: AppointmentStatus;
  start: number;
  end: number;
  /** When its provider ended it last; null: never. */
  endedAt: number | null;
  /** Whether who asks agreed that what is said stays in the session, or needn't. */
  consented: boolean;
  now: number;
}

/** From when until when a session's room is open, the end left out; epoch milliseconds. */
export function roomHours({ start, end }: { start: number; end: number }): { opens: number; closes: number } {
  return { opens: start - opensBefore, closes: end + closesAfter };
}

/**
 * Why a room is shut for who asks, or null if it is open: first what became of the session, then what they have to do
 * themselves, then the time. What was ended before a session was moved doesn't count for its new time.
 */
export function refuseRoom({ status, start, end, endedAt, consented, now }: RoomQuery): RoomRefusal | null {
  const { opens, closes } = roomHours({ start, end });
  if (status === 'cancelled' || status === 'no_show') return 'cancelled';
  if (status === 'completed' || (endedAt !== null && endedAt >= opens)) return 'ended';
  if (now >= closes) return 'over';
  if (status === 'pending') return 'unconfirmed';
  if (!consented) return 'consent_missing';
  return now < opens ? 'early' : null;
}

/** Whether somebody needn't wait in front of a room: its provider never, others once they were let in since it opened. */
export function isAdmitted(who: { part: RoomPart; admittedAt: number | null; opens: number }): boolean {
  return who.part === 'provider' || (who.admittedAt !== null && who.admittedAt >= who.opens);
}

/** Whether one more fits beside the others who are there, each with their part; the provider's own place is kept free. */
export function hasPlace(part: RoomPart, others: readonly RoomPart[]): boolean {
  return part === 'provider' || others.filter((other) => other !== 'provider').length < mostPeople - 1;
}

/** What decides who calls whom. */
interface CallQuery {
  part: RoomPart;
  sessionType: SessionType;
  refusal: RoomRefusal | null;
  /** Null where none was given. */
  numbers: { client: string | null; provider: string | null };
}

/**
 * Who calls whom, and the number for the one who calls. In a session by phone the provider calls, and may note the number
 * before. An online one that falls back to the phone, while its room is open, may have no number of the client's: then
 * the client calls the provider.
 */
export function callOf({ part, sessionType, refusal, numbers }: CallQuery): SessionPage['phone'] {
  const caller = sessionType !== 'phone' && numbers.client === null ? 'client' : 'provider';
  const called = caller === 'provider' ? numbers.client : numbers.provider;
  const isToBe = refusal === null || (sessionType === 'phone' && refusal === 'early');
  return { caller, number: part === caller && isToBe ? called : null, given: numbers.client !== null };
}
