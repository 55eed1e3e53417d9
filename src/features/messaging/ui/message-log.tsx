import { ArrowDown } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import type { Conversation, Message } from '../contract.ts';
import { blocksOf, type Block } from './history.ts';
import { LineNote } from './line-note.tsx';
import { MessageBlock } from './message-block.tsx';
import { UnsentBubble } from './message-bubble.tsx';
import { nearEnd, reach, useKeptPlace, useOpening, useSeen } from './message-place.ts';
import type { Told } from './message-times.ts';
import { useKeeper, useUnsent } from './messaging-acts.ts';
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
}: Told & {
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
  const last = messages.at(-1)?.seq ?? 0;
  const [loading, setLoading] = useState<'older' | 'newer' | null>(null);
  const [failed, setFailed] = useState<'older' | 'newer' | null>(null);
  const [away, setAway] = useState(false);
  const begins = (messages[0]?.seq ?? 1) <= 1;
  const reachesEnd = last >= conversation.lastSeq;
  // Detached history needs loading; messages that are just late arrive through catch-up.
  const behind = !reachesEnd && keeper.isDetached(conversation.id);

  // Position of the "new messages" divider.
  const [divider, setDivider] = useState(() => beforeUnread(conversation, messages));
  const [seenEnd, setSeenEnd] = useState(last);
  const fresh = messages.filter(({ seq, mine }) => seq > seenEnd && !mine);

  const { remember, scrolled } = useKeptPlace(box, unsent.length);
  useOpening(box, divider, at, remember);

  const load = async (which: 'older' | 'newer') => {
    if (loading) return;
    setLoading(which);
    setFailed(null);
    try {
      await (which === 'older' ? keeper.loadOlder(conversation.id) : keeper.loadNewer(conversation.id));
    } catch {
      setFailed(which);
    } finally {
      setLoading(null);
    }
  };
  const look = () => {
    const element = box.current;
    if (!element) return;
    const down = -element.scrollTop;
    const up = element.scrollHeight - element.clientHeight - down;
    setAway(down > nearEnd || !reachesEnd);
    if (failed !== null) return;
    if (up < reach && !begins) void load('older');
    else if (down < reach && behind) void load('newer');
  };
  useEffect(look);

  useSeen(box, (seq) => {
    setSeenEnd((known) => Math.max(known, seq));
    if (conversation.unread > 0 && seq > conversation.readSeq)
      // On failure, the next message seen reports again.
      keeper.read(conversation, seq).catch(() => undefined);
  });
  // Messages arriving in the background, or while reading further up, start below a divider.
  const firstFresh = fresh[0]?.seq;
  useEffect(() => {
    if (firstFresh === undefined) return;
    if (document.visibilityState === 'hidden' || (box.current && -box.current.scrollTop > nearEnd))
      setDivider((known) => {
        // The divider stays while a message below it is unread.
        const stays =
          known !== null && (known >= conversation.readSeq || conversation.readSeq < firstFresh - 1);
        return stays ? known : firstFresh - 1;
      });
  }, [firstFresh, conversation.readSeq]);
  // Replying marks everything as read.
  const [written, setWritten] = useState(unsent.length);
  if (written !== unsent.length) {
    setWritten(unsent.length);
    if (unsent.length > written) setDivider(null);
  }

  const toLatest = ({ currentTarget }: { currentTarget: Element }) => {
    // Move focus: the button is about to disappear.
    if (document.activeElement === currentTarget) box.current?.focus({ preventScroll: true });
    if (reachesEnd) box.current?.scrollTo({ top: 0 });
    else
      void keeper.loadLatest(conversation.id).then(
        () =>
          requestAnimationFrame(() => {
            box.current?.scrollTo({ top: 0, behavior: 'instant' });
            // Messages may render before the scroll event.
            remember();
          }),
        () => undefined,
      );
  };
  const states = useMemo(
    () => statesOf(messages, conversation.readByOther),
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
          look();
        }}
        className="flex h-full flex-col-reverse overflow-x-hidden overflow-y-auto overscroll-contain px-4 [overflow-anchor:none] focus-visible:-outline-offset-3 sm:px-6"
      >
        {/* Column is reversed: the end comes first. */}
        <div className="shrink-0 pb-2">
          {begins ? (
            <Beginning name={name} />
          ) : (
            <div className="grid min-h-16 place-items-center pt-4">
              {failed === 'older' ? (
                <LoadFailed onRetry={() => void load('older')}>{m.messaging_older_failed()}</LoadFailed>
              ) : (
                <Spinner label={m.messaging_older_loading()} />
              )}
            </div>
          )}
          {blocks.map((block, index) => (
            <MessageBlock
              key={block.key}
              block={block}
              before={blocks[index - 1]?.messages.at(-1)}
              box={box}
              name={name}
              timeZone={timeZone}
              today={today}
              divider={within(block, divider === null ? null : divider + 1) ? divider : null}
              at={within(block, at) ? at : null}
              read={within(block, states.read) ? states.read : null}
              sent={within(block, states.sent) ? states.sent : null}
            />
          ))}
          {loading === 'newer' && <Spinner label={m.messaging_newer_loading()} className="py-4" />}
          {failed === 'newer' && (
            <LoadFailed onRetry={() => void load('newer')}>{m.messaging_newer_failed()}</LoadFailed>
          )}
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
      {away && (
        <Button
          variant="secondary"
          aria-label={latestText(fresh.length)}
          onClick={toLatest}
          className="absolute right-4 bottom-3 animate-fade rounded-full! px-3! shadow-soft"
        >
          {fresh.length > 0 && <span aria-hidden>{fresh.length}</span>}
          <ArrowDown />
        </Button>
      )}
      <LineNote />
      <Arrivals messages={messages} name={name} />
    </div>
  );
}

/** Returns the `seq` before the first loaded unread message. Own messages never count as new. */
function beforeUnread({ unread, readSeq }: Conversation, messages: readonly Message[]): number | null {
  if (unread === 0) return null;
  const first = messages.find(({ seq, mine }) => seq > readSeq && !mine);
  return first ? first.seq - 1 : null;
}

function latestText(count: number): string {
  if (count === 0) return m.messaging_to_latest();
  return count === 1 ? m.messaging_to_latest_one() : m.messaging_to_latest_count({ count });
}

function LoadFailed({ children, onRetry }: { children: string; onRetry: () => void }) {
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-2 py-2 text-sm text-clay">
      {children}
      <Button variant="secondary" size="sm" onClick={onRetry}>
        {m.web_try_again()}
      </Button>
    </p>
  );
}

function Beginning({ name }: { name: string }) {
  return (
    <p className="pt-6 pb-2 text-center text-sm text-quiet">
      {m.messaging_begin({ name })}
      <span className="block">{m.messaging_begin_private()}</span>
    </p>
  );
}

function within({ messages }: Block, seq: number | null): boolean {
  return seq !== null && seq >= (messages[0]?.seq ?? 0) && seq <= (messages.at(-1)?.seq ?? 0);
}

function statesOf(
  messages: readonly Message[],
  readByOther: number,
): { read: number | null; sent: number | null } {
  const own = messages.findLast(({ mine }) => mine);
  const read = messages.findLast(({ mine, seq }) => mine && seq <= readByOther);
  return { read: read?.seq ?? null, sent: own && own !== read ? own.seq : null };
}

const heard = 3;

/** Live region that announces each incoming message once, politely. */
function Arrivals({ messages, name }: { messages: readonly Message[]; name: string }) {
  const known = useRef(messages.at(-1)?.seq ?? 0);
  const [arrived, setArrived] = useState<readonly Message[]>([]);
  useEffect(() => {
    const last = messages.at(-1)?.seq ?? 0;
    const first = messages[0]?.seq ?? 0;
    // Jumping within the history isn't news.
    const news =
      first > known.current ? [] : messages.filter(({ seq, mine }) => seq > known.current && !mine);
    if (last > known.current) known.current = last;
    if (news.length > 0) setArrived((before) => [...before, ...news].slice(-heard));
  }, [messages]);
  return (
    <div role="log" aria-live="polite" aria-label={m.messaging_new_divider()} className="sr-only">
      {arrived.map(({ id, text }) => (
        <p key={id}>
          {text === '' ? m.messaging_announced_files({ name }) : m.messaging_announced({ name, text })}
        </p>
      ))}
    </div>
  );
}
