import type { AppointmentStatus } from '#/features/appointments/appointment/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import type { RoomPart, RoomRefusal, SessionPage } from './contract.ts';

/** Milliseconds before the start. */
const opensBefore = 10 * 60_000;
/** Milliseconds after the end. */
const closesAfter = 15 * 60_000;
/** Another browser replaces the oldest. */
export const maxPeersOfPerson = 3;

/** Instants in epoch milliseconds. */
export interface RoomQuery {
  status: AppointmentStatus;
  start: number;
  end: number;
  /** Null if never ended. */
  endedAt: number | null;
  /** Agreed to confidentiality, or needn't. */
  consented: boolean;
  now: number;
}

/** Returns a room's opening hours in epoch milliseconds, closing time exclusive. */
export function roomHours({ start, end }: { start: number; end: number }): { opens: number; closes: number } {
  return { opens: start - opensBefore, closes: end + closesAfter };
}

/**
 * Returns why a room is closed, or null. Checks the session's state first, then consent, then time. An ending from
 * before a reschedule doesn't count.
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

/** Providers never wait; others need an admission since the room opened. */
export function isAdmitted(who: { part: RoomPart; admittedAt: number | null; opens: number }): boolean {
  return who.part === 'provider' || (who.admittedAt !== null && who.admittedAt >= who.opens);
}

/** Checks whether a room for `max` people has a place; the provider's stays reserved. */
export function hasPlace(part: RoomPart, others: readonly RoomPart[], max: number): boolean {
  return part === 'provider' || others.filter((other) => other !== 'provider').length < max - 1;
}

/** Topic of the notices to one connection. */
export function peerTopic(peerId: string): string {
  return `peer:${peerId}`;
}

interface CallQuery {
  part: RoomPart;
  sessionType: SessionType;
  refusal: RoomRefusal | null;
  numbers: { client: string | null; provider: string | null };
}

/**
 * Decides who calls, and gives only the caller the number. Providers call in phone sessions; they and the client see
 * the number beforehand. If an open online session falls back to phone and the client gave no number, the client calls.
 */
export function callOf({ part, sessionType, refusal, numbers }: CallQuery): SessionPage['phone'] {
  const caller = sessionType !== 'phone' && numbers.client === null ? 'client' : 'provider';
  const called = caller === 'provider' ? numbers.client : numbers.provider;
  const isToBe = refusal === null || (sessionType === 'phone' && refusal === 'early');
  const sees = part === caller || (part === 'client' && sessionType === 'phone');
  return { caller, number: sees && isToBe ? called : null, given: numbers.client !== null };
}
