import { ArrowDown } from 'lucide-react';
import {
  memo,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import type { Conversation, Message } from '../contract.ts';
import { blocksOf, type Block } from './history.ts';
import { MessageBubble, UnsentBubble } from './message-bubble.tsx';
import { dayHeading, dayOf, type Told } from './message-times.ts';
import { useKeeper, useUnsent } from './messaging-acts.ts';
import { counterpartName } from './row-texts.ts';

/** So far from what is seen messages are still drawn, and others fetched, in pixels. */
const reach = 900;
/** So near to its end a history still counts as read to its end, in pixels. */
const nearEnd = 80;
/** Messages of one person within so many milliseconds stand together. */
const oneBreath = 5 * 60_000;
/** So much of a message must be in sight for it to count as seen, in pixels. */
const seenPart = 24;
/** So many blocks at the end are drawn at once, the others when one comes near. */
const drawnAtFirst = 3;
/** The height of a message that was never drawn, in pixels. */
const guessedHeight = 80;
/** How long the screen rests before what is in sight counts as seen, in milliseconds. */
const glance = 400;

/**
 * The messages of a conversation. Its box runs from the end upwards, so that it opens at the latest message before any
 * script, and what comes on above moves nothing. Blocks of messages far from what is seen are left out, in places of
 * their height.
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
  /** The `seq` of the message that one was led to. */
  at: number | null;
  /** What stands at the end while the other one writes. */
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
  // It was opened at a part that doesn't reach to the end; what is merely late comes by itself.
  const behind = !reachesEnd && keeper.isDetached(conversation.id);

  // Where the new ones begin: as the conversation was opened, and as it was left.
  const [divider, setDivider] = useState(() => beforeUnread(conversation, messages));
  const [seenEnd, setSeenEnd] = useState(last);
  const fresh = messages.filter(({ seq, mine }) => seq > seenEnd && !mine);

  const place = useKeptPlace(box, unsent.length);
  useOpening(box, divider, at);

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
      // It is said again with the next one that is seen.
      keeper.read(conversation, seq).catch(() => undefined);
  });
  // What comes while nobody looks, or while one reads further up, begins behind a line.
  const firstFresh = fresh[0]?.seq;
  useEffect(() => {
    if (firstFresh === undefined) return;
    if (document.visibilityState === 'hidden' || (box.current && -box.current.scrollTop > nearEnd))
      setDivider((known) => (known !== null && known >= conversation.readSeq ? known : firstFresh - 1));
  }, [firstFresh, conversation.readSeq]);
  // Who answers has read them.
  const [written, setWritten] = useState(unsent.length);
  if (written !== unsent.length) {
    setWritten(unsent.length);
    if (unsent.length > written) setDivider(null);
  }

  const toLatest = () => {
    if (reachesEnd) box.current?.scrollTo({ top: 0 });
    else
      void keeper.loadLatest(conversation.id).then(
        () => requestAnimationFrame(() => box.current?.scrollTo({ top: 0, behavior: 'instant' })),
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
          place.remember();
          look();
        }}
        className="flex h-full flex-col-reverse overflow-x-hidden overflow-y-auto overscroll-contain px-4 [overflow-anchor:none] focus-visible:-outline-offset-3 sm:px-6"
      >
        {/* The end stands first. */}
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
            <BlockOf
              key={block.key}
              block={block}
              before={blocks[index - 1]?.messages.at(-1)}
              box={box}
              drawn={blocks.length - index <= drawnAtFirst}
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
      <Arrivals messages={messages} name={name} />
    </div>
  );
}

/** The `seq` after which what one hasn't read begins, as far as it is loaded; one's own words are never new. */
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

/** Below which of one's own messages 'Read' and 'Sent' stand. */
function statesOf(
  messages: readonly Message[],
  readByOther: number,
): { read: number | null; sent: number | null } {
  const own = messages.findLast(({ mine }) => mine);
  const read = messages.findLast(({ mine, seq }) => mine && seq <= readByOther);
  return { read: read?.seq ?? null, sent: own && own !== read ? own.seq : null };
}

/** Some messages, or a place of their height while they are far from what is seen. */
const BlockOf = memo(function BlockOf({
  block: { messages },
  before,
  box,
  drawn,
  name,
  timeZone,
  today,
  divider,
  at,
  read,
  sent,
}: Told & {
  block: Block;
  /** The last message above them. */
  before: Message | undefined;
  box: RefObject<HTMLDivElement | null>;
  /** Whether they are drawn before anybody knows where they stand. */
  drawn: boolean;
  name: string;
  divider: number | null;
  at: number | null;
  read: number | null;
  sent: number | null;
}) {
  const own = useRef<HTMLOListElement>(null);
  // Guessed until it was drawn.
  const [height, setHeight] = useState(() =>
    drawn || at !== null || divider !== null ? null : messages.length * guessedHeight,
  );
  useEffect(() => {
    const element = own.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        // What has the focus stays.
        const far = !entry.isIntersecting && !element.contains(document.activeElement);
        setHeight(far ? entry.boundingClientRect.height : null);
      },
      { root: box.current, rootMargin: `${reach}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  const children: ReactNode[] = [];
  if (height === null) {
    let previous = before;
    let day = previous && dayOf(previous.sentAt, timeZone);
    for (const message of messages) {
      const ofDay = dayOf(message.sentAt, timeZone);
      if (ofDay !== day) {
        children.push(
          <li key={`day ${ofDay}`} className="flex justify-center pt-5 pb-1">
            <span className="rounded-full bg-sunken px-3 py-0.5 text-sm font-semibold text-quiet">
              {dayHeading(ofDay, today)}
            </span>
          </li>,
        );
      }
      const begins = divider !== null && message.seq === divider + 1;
      if (begins) {
        children.push(
          <li
            key="new"
            data-new
            className="flex items-center gap-3 pt-4 text-sm font-semibold text-primary before:h-px before:flex-1 before:bg-primary after:h-px after:flex-1 after:bg-primary"
          >
            {m.messaging_new_divider()}
          </li>,
        );
      }
      children.push(
        <MessageBubble
          key={message.id}
          message={message}
          name={name}
          timeZone={timeZone}
          follows={!begins && ofDay === day && previous !== undefined && together(previous, message)}
          found={message.seq === at}
          state={
            message.seq === read
              ? m.messaging_state_read()
              : message.seq === sent
                ? m.messaging_state_sent()
                : undefined
          }
        />,
      );
      previous = message;
      day = ofDay;
    }
  }
  return (
    <ol ref={own} style={height === null ? undefined : { height }} aria-hidden={height !== null || undefined}>
      {children}
    </ol>
  );
});

function together(one: Message, other: Message): boolean {
  return one.mine === other.mine && Date.parse(other.sentAt) - Date.parse(one.sentAt) < oneBreath;
}

/** Keeps what is seen in its place while messages come and go around it, unless the end is in sight. */
function useKeptPlace(box: RefObject<HTMLDivElement | null>, unsent: number) {
  const anchor = useRef<{ seq: string; top: number } | null>(null);
  const remember = () => {
    const element = box.current;
    if (!element) return;
    anchor.current = null;
    if (-element.scrollTop <= nearEnd) return;
    const { top } = element.getBoundingClientRect();
    for (const one of element.querySelectorAll<HTMLElement>('[data-seq]')) {
      const rect = one.getBoundingClientRect();
      if (rect.bottom <= top) continue;
      anchor.current = { seq: one.dataset.seq ?? '', top: rect.top - top };
      return;
    }
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // Before it is painted: when something was written, drawn or left out, and when the window has another width.
    const observer = new ResizeObserver(() => {
      const known = anchor.current;
      const one = known && element.querySelector(`[data-seq="${known.seq}"]`);
      if (!one) return;
      const moved = one.getBoundingClientRect().top - element.getBoundingClientRect().top - known.top;
      if (Math.abs(moved) >= 1) element.scrollBy({ top: moved, behavior: 'instant' });
    });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [box]);
  // What one has just written is seen.
  const sent = useRef(unsent);
  useLayoutEffect(() => {
    if (unsent > sent.current) {
      anchor.current = null;
      box.current?.scrollTo({ top: 0, behavior: 'instant' });
    }
    sent.current = unsent;
  }, [box, unsent]);
  return { remember };
}

/** Opens where the new messages begin, or at the message that one was led to. */
function useOpening(box: RefObject<HTMLDivElement | null>, divider: number | null, at: number | null): void {
  const opened = useRef<number | null | undefined>(undefined);
  useLayoutEffect(() => {
    if (opened.current === at) return;
    const element = box.current;
    if (!element) return;
    if (at !== null) {
      const found = element.querySelector<HTMLElement>(`[data-seq="${at}"]`);
      if (!found) return;
      found.scrollIntoView({ block: 'center', behavior: 'instant' });
      found.focus({ preventScroll: true });
    } else if (opened.current === undefined && divider !== null) {
      const line = element.querySelector('[data-new]');
      if (line && line.getBoundingClientRect().top < element.getBoundingClientRect().top)
        line.scrollIntoView({ block: 'start', behavior: 'instant' });
    }
    opened.current = at;
  });
}

/** Tells up to which message the history was really seen: on the screen, for a moment, in a tab that is looked at. */
function useSeen(box: RefObject<HTMLDivElement | null>, onSeen: (seq: number) => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const see = () => {
    const element = box.current;
    if (!element || document.visibilityState !== 'visible') return;
    const bottom = Math.min(element.getBoundingClientRect().bottom, window.innerHeight);
    const all = [...element.querySelectorAll<HTMLElement>('[data-seq]')];
    const seen = all.findLast((one) => one.getBoundingClientRect().top + seenPart <= bottom);
    if (seen) onSeen(Number(seen.dataset.seq));
  };
  const latest = useRef(see);
  useEffect(() => {
    latest.current = see;
  });
  useEffect(() => {
    const element = box.current;
    const soon = () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => latest.current(), glance);
    };
    const drawn = new MutationObserver(soon);
    soon();
    if (element) drawn.observe(element, { childList: true, subtree: true });
    element?.addEventListener('scroll', soon, { passive: true });
    document.addEventListener('visibilitychange', soon);
    return () => {
      clearTimeout(timer.current);
      drawn.disconnect();
      element?.removeEventListener('scroll', soon);
      document.removeEventListener('visibilitychange', soon);
    };
  }, [box]);
}

/** So many of the latest arrivals are kept for who hears them. */
const heard = 3;

/** What the other one writes while the conversation is open, for who hears it: once, and without a hurry. */
function Arrivals({ messages, name }: { messages: readonly Message[]; name: string }) {
  const known = useRef(messages.at(-1)?.seq ?? 0);
  const [arrived, setArrived] = useState<readonly Message[]>([]);
  useEffect(() => {
    const last = messages.at(-1)?.seq ?? 0;
    const first = messages[0]?.seq ?? 0;
    // A part of the history that one went to isn't news.
    const news =
      first > known.current ? [] : messages.filter(({ seq, mine }) => seq > known.current && !mine);
    if (last > known.current) known.current = last;
    if (news.length > 0) setArrived((before) => [...before, ...news].slice(-heard));
  }, [messages]);
  return (
    <ol role="log" aria-live="polite" aria-label={m.messaging_new_divider()} className="sr-only">
      {arrived.map(({ id, text }) => (
        <li key={id}>
          {text === '' ? m.messaging_announced_files({ name }) : m.messaging_announced({ name, text })}
        </li>
      ))}
    </ol>
  );
}
