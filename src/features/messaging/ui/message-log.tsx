import { ArrowDown, WifiOff } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import type { Conversation, Message } from '../contract.ts';
import { HistoryEnd, HistoryStart } from './history-edges.tsx';
import { useHistoryPaging } from './history-paging.ts';
import { blocksOf } from './history.ts';
import { MessageBlock } from './message-block.tsx';
import { UnsentBubble } from './message-bubble.tsx';
import { deliveryStatesOf, dividerAfterArrival, dividerBeforeUnread, isWithin } from './message-log-rules.ts';
import { nearEnd, useScrollAnchor, useOpening, useReportSeen } from './message-scroll.ts';
import type { MessageDay } from './message-times.ts';
import { useMessageSync, useUnsentMessages } from './messaging-actions.ts';
import { counterpartName } from './row-texts.ts';

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
  const keeper = useMessageSync();
  const unsent = useUnsentMessages(conversation.id);
  const box = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState(() => ({ messages, blocks: blocksOf(messages, []) }));
  if (drawn.messages !== messages) setDrawn({ messages, blocks: blocksOf(messages, drawn.blocks) });
  const { blocks } = drawn;
  const name = counterpartName(conversation.with);

  const { divider, unseenCount, markSeen } = useUnreadDivider(box, conversation, messages, unsent.length);
  const { remember, scrolled } = useScrollAnchor(box, unsent.length);
  useOpening(box, divider, at, remember);
  const paging = useHistoryPaging(box, conversation, messages);
  useReportSeen(box, (seq) => {
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

/** Position of the "new messages" divider, and the number of messages that arrived unseen. */
function useUnreadDivider(
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

/** Milliseconds before a lost connection is shown. */
const patience = 3_000;

/** Overlay for a lost connection. Floats above the messages to avoid layout shift. */
function LineNote() {
  const [lost, setLost] = useState(false);
  const [shown, setShown] = useState(false);
  useRealtime(({ type }) => {
    if (type === 'lost') setLost(true);
    if (type === 'connected') {
      setLost(false);
      setShown(false);
    }
  });
  useEffect(() => {
    if (!lost) return;
    const timer = setTimeout(() => setShown(true), patience);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    <div role="status" className="pointer-events-none absolute inset-x-4 top-2 z-10 flex justify-center">
      {shown && (
        <p className="flex animate-fade items-start gap-2 rounded-card border border-line bg-card px-3.5 py-1.5 text-sm shadow-soft">
          <WifiOff aria-hidden className="mt-0.5 size-4 shrink-0 text-quiet" />
          {m.messaging_line_lost()}
        </p>
      )}
    </div>
  );
}

const maxAnnounced = 3;

/** Announces each incoming message once. */
function MessageAnnouncements({ messages, name }: { messages: readonly Message[]; name: string }) {
  const known = useRef(messages.at(-1)?.seq ?? 0);
  const [arrived, setArrived] = useState<readonly Message[]>([]);
  useEffect(() => {
    const last = messages.at(-1)?.seq ?? 0;
    const first = messages[0]?.seq ?? 0;
    // Jumping within the history isn't news.
    const news =
      first > known.current ? [] : messages.filter(({ seq, mine }) => seq > known.current && !mine);
    if (last > known.current) known.current = last;
    if (news.length > 0) setArrived((before) => [...before, ...news].slice(-maxAnnounced));
  }, [messages]);
  return (
    <div role="log" aria-live="polite" aria-label={m.messaging_new_divider()} className="sr-only">
      {arrived.map(({ id, text }) => (
        <p key={id}>
          {text === '' ? m.messaging_announced_files({ name }) : m.web_name_text({ name, text })}
        </p>
      ))}
    </div>
  );
}

/** Scrolls to the latest message, perhaps loading it. */
function LatestButton({
  box,
  conversationId,
  reachesEnd,
  unseenCount,
  onScrolled,
}: {
  box: RefObject<HTMLDivElement | null>;
  conversationId: string;
  /** The latest message is loaded. */
  reachesEnd: boolean;
  unseenCount: number;
  onScrolled: () => void;
}) {
  const keeper = useMessageSync();
  const scroll = ({ currentTarget }: { currentTarget: Element }) => {
    // Move focus: the button is about to disappear.
    if (document.activeElement === currentTarget) box.current?.focus({ preventScroll: true });
    if (reachesEnd) box.current?.scrollTo({ top: 0 });
    else
      void keeper.loadLatest(conversationId).then(
        () =>
          requestAnimationFrame(() => {
            box.current?.scrollTo({ top: 0, behavior: 'instant' });
            // Messages may render before the scroll event.
            onScrolled();
          }),
        () => undefined,
      );
  };
  return (
    <Button
      variant="secondary"
      aria-label={labelOf(unseenCount)}
      onClick={scroll}
      className="absolute right-4 bottom-3 animate-fade rounded-full! px-3! shadow-soft"
    >
      {unseenCount > 0 && <span aria-hidden>{unseenCount}</span>}
      <ArrowDown />
    </Button>
  );
}

function labelOf(unseenCount: number): string {
  if (unseenCount === 0) return m.messaging_to_latest();
  return m.messaging_to_latest_count({ count: unseenCount });
}
