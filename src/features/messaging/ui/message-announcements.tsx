import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import type { Message } from '../contract.ts';

const maxAnnounced = 3;

/** Live region that announces each incoming message once, politely. */
export function MessageAnnouncements({ messages, name }: { messages: readonly Message[]; name: string }) {
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
          {text === '' ? m.messaging_announced_files({ name }) : m.messaging_announced({ name, text })}
        </p>
      ))}
    </div>
  );
}
