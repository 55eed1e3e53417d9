import { useEffect, useState, type RefObject } from 'react';
import type { Conversation, Message } from '../contract.ts';
import { dividerAfterArrival, dividerBeforeUnread } from './message-log-rules.ts';
import { nearEnd } from './message-place.ts';

/** Position of the "new messages" divider, and the number of messages that arrived unseen. */
export function useUnreadDivider(
  box: RefObject<HTMLDivElement | null>,
  conversation: Conversation,
  messages: readonly Message[],
  unsent: number,
) {
  const { readSeq } = conversation;
  const [divider, setDivider] = useState(() => dividerBeforeUnread(conversation, messages));
  const [seenSeq, setSeenSeq] = useState(messages.at(-1)?.seq ?? 0);
  const unseen = messages.filter(({ seq, mine }) => seq > seenSeq && !mine);
  const firstUnseen = unseen[0]?.seq;
  // Messages arriving in the background, or while reading further up, start below a divider.
  useEffect(() => {
    if (firstUnseen === undefined) return;
    if (document.visibilityState === 'hidden' || (box.current && -box.current.scrollTop > nearEnd))
      // oxlint-disable-next-line react/set-state-in-effect -- the scroll position exists only after rendering
      setDivider((known) => dividerAfterArrival(known, firstUnseen, readSeq));
  }, [box, firstUnseen, readSeq]);
  // Replying marks everything as read.
  const [written, setWritten] = useState(unsent);
  if (written !== unsent) {
    setWritten(unsent);
    if (unsent > written) setDivider(null);
  }
  return {
    divider,
    unseenCount: unseen.length,
    markSeen: (seq: number) => setSeenSeq((known) => Math.max(known, seq)),
  };
}
