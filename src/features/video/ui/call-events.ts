import type { PeerState } from './call-rules.ts';

/** Recent actions of other participants, shown briefly. */
export type CallEvent =
  | { kind: 'joined' | 'left' | 'phone' | 'sharing'; name: string }
  | { kind: 'said'; name: string; text: string };

/** Events of a changed state: asking to continue by phone, and sharing a screen. */
export function eventsBetween(before: PeerState, after: PeerState, name: string): CallEvent[] {
  const events: CallEvent[] = [];
  if (after.phone && !before.phone) events.push({ kind: 'phone', name });
  if (after.screen && !before.screen) events.push({ kind: 'sharing', name });
  return events;
}
