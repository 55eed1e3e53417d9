import { memo, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { m } from '#/texts/messages.js';
import { dateIn } from '#/web/times.ts';
import type { Message } from '../contract.ts';
import type { Block } from './history.ts';
import { MessageBubble } from './message-bubble.tsx';
import { reach } from './message-scroll.ts';
import { dayHeading, type MessageDay } from './message-times.ts';

/** Consecutive messages within this many milliseconds are grouped. */
const oneBreath = 5 * 60_000;

/** A block of messages, reduced to an empty box of equal height while far from the viewport. */
export const MessageBlock = memo(function MessageBlock({
  block: { messages },
  before,
  box,
  name,
  timeZone,
  today,
  divider,
  at,
  read,
  sent,
}: MessageDay & {
  block: Block;
  before: Message | undefined;
  box: RefObject<HTMLDivElement | null>;
  name: string;
  divider: number | null;
  at: number | null;
  read: number | null;
  sent: number | null;
}) {
  const own = useRef<HTMLOListElement>(null);
  // Measured height while skipped; null while rendered.
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const element = own.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        // Blocks with focus stay rendered.
        const far = !entry.isIntersecting && !element.contains(document.activeElement);
        // Now: messages may have arrived since.
        setHeight(far ? element.getBoundingClientRect().height : null);
      },
      { root: box.current, rootMargin: `${reach}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  const children: ReactNode[] = [];
  if (height === null) {
    let previous = before;
    let day = previous && dateIn(previous.sentAt, timeZone);
    for (const message of messages) {
      const ofDay = dateIn(message.sentAt, timeZone);
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
          follows={!begins && ofDay === day && previous !== undefined && areGrouped(previous, message)}
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

function areGrouped(one: Message, other: Message): boolean {
  return one.mine === other.mine && Date.parse(other.sentAt) - Date.parse(one.sentAt) < oneBreath;
}
