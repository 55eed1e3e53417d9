import type { Conversation, Message } from '../contract.ts';
import type { Block } from './history.ts';

/** Returns the `seq` before the first loaded unread message. Own messages never count as new. */
export function dividerBeforeUnread(
  { unread, readSeq }: Pick<Conversation, 'unread' | 'readSeq'>,
  messages: readonly Message[],
): number | null {
  if (unread === 0) return null;
  const first = messages.find(({ seq, mine }) => seq > readSeq && !mine);
  return first ? first.seq - 1 : null;
}

/** Moves the divider above newly arrived messages, unless a message below it is unread. */
export function dividerAfterArrival(divider: number | null, firstNew: number, readSeq: number): number {
  const stays = divider !== null && (divider >= readSeq || readSeq < firstNew - 1);
  return stays ? divider : firstNew - 1;
}

/** Returns which way to load more history; `up` and `down` are pixels left to scroll. */
export function pageToLoad({
  up,
  down,
  reach,
  begins,
  behind,
}: {
  up: number;
  down: number;
  reach: number;
  /** The first message is loaded. */
  begins: boolean;
  /** The latest message won't load by itself. */
  behind: boolean;
}): 'older' | 'newer' | null {
  if (up < reach && !begins) return 'older';
  return down < reach && behind ? 'newer' : null;
}

export function isWithin({ messages }: Block, seq: number | null): boolean {
  return seq !== null && seq >= (messages[0]?.seq ?? 0) && seq <= (messages.at(-1)?.seq ?? 0);
}

/** Own messages that show their state: the last one read, and the last one sent after it. */
export function deliveryStatesOf(
  messages: readonly Message[],
  readByOther: number,
): { read: number | null; sent: number | null } {
  const own = messages.findLast(({ mine }) => mine);
  const read = messages.findLast(({ mine, seq }) => mine && seq <= readByOther);
  return { read: read?.seq ?? null, sent: own && own !== read ? own.seq : null };
}
