import { SendHorizontal } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { TextInput } from '#/web/components/field.tsx';
import type { ChatMessage } from './call-chat.ts';
import { longestLine } from './call-rules.ts';
import { SidePanel } from './side-panel.tsx';

/** Peer-to-peer chat, never stored. */
export function ChatPanel({
  messages,
  alone,
  crisis,
  textBefore,
  onType,
  onSend,
  onClose,
}: {
  messages: readonly ChatMessage[];
  alone: boolean;
  crisis: boolean;
  textBefore: () => string;
  onType: (text: string) => void;
  onSend: (text: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState(textBefore);
  const type = (next: string) => {
    setText(next);
    onType(next);
  };
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const send = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (alone || !text.trim()) return;
    onSend(text);
    type('');
  };
  return (
    <SidePanel
      title={m.video_chat()}
      onClose={onClose}
      footer={
        <form onSubmit={send}>
          {crisis && <CrisisHelp text={text} className="mb-3" />}
          <div className="flex gap-2">
            <TextInput
              ref={field}
              aria-label={m.video_chat_write()}
              placeholder={m.video_chat_write()}
              maxLength={longestLine}
              autoComplete="off"
              value={text}
              onChange={({ target }) => type(target.value)}
            />
            <Button
              type="submit"
              size="icon"
              className="size-12!"
              aria-label={m.video_chat_send()}
              disabled={alone || !text.trim()}
            >
              <SendHorizontal aria-hidden />
            </Button>
          </div>
        </form>
      }
    >
      <p className="text-sm text-quiet">{alone ? m.video_chat_alone() : m.video_chat_note()}</p>
      <div role="log" aria-label={m.video_chat_lines()} className="mt-3 grid gap-2.5">
        {messages.map(({ id, name, text: message }) => (
          <p key={id} ref={scrollTo}>
            <span className="block text-sm font-semibold text-quiet">{name ?? m.video_you()}</span>
            <span dir="auto" className="block wrap-anywhere whitespace-pre-wrap">
              {message}
            </span>
          </p>
        ))}
      </div>
    </SidePanel>
  );
}

function scrollTo(line: HTMLElement | null): void {
  line?.scrollIntoView({ block: 'nearest' });
}
