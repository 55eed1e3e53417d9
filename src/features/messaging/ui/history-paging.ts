import { useEffect, useState, type RefObject } from 'react';
import type { Conversation, Message } from '../contract.ts';
import { pageToLoad } from './message-log-rules.ts';
import { nearEnd, reach } from './message-scroll.ts';
import { useMessageSync } from './messaging-actions.ts';

type Page = 'older' | 'newer';

/** Loads messages as the reader approaches them. */
export function useHistoryPaging(
  box: RefObject<HTMLDivElement | null>,
  conversation: Conversation,
  messages: readonly Message[],
) {
  const keeper = useMessageSync();
  const [loading, setLoading] = useState<Page | null>(null);
  const [failed, setFailed] = useState<Page | null>(null);
  const [away, setAway] = useState(false);
  const begins = (messages[0]?.seq ?? 1) <= 1;
  const reachesEnd = (messages.at(-1)?.seq ?? 0) >= conversation.lastSeq;
  // Detached history needs loading; messages that are just late arrive through catch-up.
  const behind = !reachesEnd && keeper.isDetached(conversation.id);

  const load = async (page: Page) => {
    if (loading) return;
    setLoading(page);
    setFailed(null);
    try {
      await (page === 'older' ? keeper.loadOlder(conversation.id) : keeper.loadNewer(conversation.id));
    } catch {
      setFailed(page);
    } finally {
      setLoading(null);
    }
  };
  const checkPosition = () => {
    const element = box.current;
    if (!element) return;
    const down = -element.scrollTop;
    const up = element.scrollHeight - element.clientHeight - down;
    // oxlint-disable-next-line react/set-state-in-effect -- the scroll position exists only after rendering
    setAway(down > nearEnd || !reachesEnd);
    if (failed !== null) return;
    const page = pageToLoad({ up, down, reach, begins, behind });
    if (page) void load(page);
  };
  useEffect(checkPosition);

  return { loading, failed, away, begins, reachesEnd, load, checkPosition };
}
