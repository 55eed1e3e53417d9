import { useMemo, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import type { Conversation, Message } from '../contract.ts';
import { HistoryEnd, HistoryStart } from './history-edges.tsx';
import { useHistoryPaging } from './history-paging.ts';
import { blocksOf } from './history.ts';
import { LatestButton } from './latest-button.tsx';
import { LineNote } from './line-note.tsx';
import { MessageAnnouncements } from './message-announcements.tsx';
import { MessageBlock } from './message-block.tsx';
import { UnsentBubble } from './message-bubble.tsx';
import { deliveryStatesOf, isWithin } from './message-log-rules.ts';
import { useKeptPlace, useOpening, useSeen } from './message-place.ts';
import type { MessageDay } from './message-times.ts';
import { useKeeper, useUnsent } from './messaging-acts.ts';
import { counterpartName } from './row-texts.ts';
import { useUnreadDivider } from './unread-divider.ts';

/**
 * Message history. `flex-col-reverse` opens it at the latest message before scripts run, and lets earlier messages load
 * without shifting the view.
 */
export function MessageLog({
  conversation,
  messages,
  at,
  writing,
  timeZone,
  today,
}: MessageDay & {
  conversation: Conversation;
  messages: readonly Message[];
  at: number | null;
  writing: string;
}) {
  const keeper = useKeeper();
  const unsent = useUnsent(conversation.id);
  const box = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState(() => ({ messages, blocks: blocksOf(messages, []) }));
  if (drawn.messages !== messages) setDrawn({ messages, blocks: blocksOf(messages, drawn.blocks) });
  const { blocks } = drawn;
  const name = counterpartName(conversation.with);

  const { divider, unseenCount, markSeen } = useUnreadDivider(box, conversation, messages, unsent.length);
  const { remember, scrolled } = useKeptPlace(box, unsent.length);
  useOpening(box, divider, at, remember);
  const paging = useHistoryPaging(box, conversation, messages);
  useSeen(box, (seq) => {
    markSeen(seq);
    if (conversation.unread > 0 && seq > conversation.readSeq)
      // On failure, the next message seen reports again.
      keeper.read(conversation, seq).catch(() => undefined);
  });
  const states = useMemo(
    () => deliveryStatesOf(messages, conversation.readByOther),
    [messages, conversation.readByOther],
  );

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        role="group"
        aria-label={m.messaging_history({ name })}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
        tabIndex={0}
        onScroll={() => {
          scrolled();
          paging.checkPosition();
        }}
        className="flex h-full flex-col-reverse overflow-x-hidden overflow-y-auto overscroll-contain px-4 [overflow-anchor:none] focus-visible:-outline-offset-3 sm:px-6"
      >
        {/* Column is reversed: the end comes first. */}
        <div className="shrink-0 pb-2">
          <HistoryStart
            name={name}
            begins={paging.begins}
            failed={paging.failed === 'older'}
            onRetry={() => void paging.load('older')}
          />
          {blocks.map((block, index) => (
            <MessageBlock
              key={block.key}
              block={block}
              before={blocks[index - 1]?.messages.at(-1)}
              box={box}
              name={name}
              timeZone={timeZone}
              today={today}
              divider={isWithin(block, divider === null ? null : divider + 1) ? divider : null}
              at={isWithin(block, at) ? at : null}
              read={isWithin(block, states.read) ? states.read : null}
              sent={isWithin(block, states.sent) ? states.sent : null}
            />
          ))}
          <HistoryEnd
            loading={paging.loading === 'newer'}
            failed={paging.failed === 'newer'}
            onRetry={() => void paging.load('newer')}
          />
          {unsent.length > 0 && (
            <ol>
              {unsent.map((one) => (
                <UnsentBubble
                  key={one.id}
                  message={one}
                  onRetry={(id) => keeper.retry(conversation.id, id)}
                  onDiscard={(id) => keeper.discard(conversation.id, id)}
                />
              ))}
            </ol>
          )}
          <p className="min-h-6 pt-2 text-sm text-sage">{writing}</p>
        </div>
      </div>
      {paging.away && (
        <LatestButton
          box={box}
          conversationId={conversation.id}
          reachesEnd={paging.reachesEnd}
          unseenCount={unseenCount}
          onScrolled={remember}
        />
      )}
      <LineNote />
      <MessageAnnouncements messages={messages} name={name} />
    </div>
  );
}
