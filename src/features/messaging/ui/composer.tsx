import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SendHorizontal } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import draftLimits from 'virtual:limits/messaging.conversations.saveDraft';
import limits from 'virtual:limits/messaging.messages.send';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Textarea } from '#/web/components/field.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import type { Conversation } from '../contract.ts';
import { AttachmentChips, AttachmentPicker } from './attachment-picker.tsx';
import type { Attachments } from './attachment-upload.ts';
import { useMessageSync, useSendTyping, useUnsentMessages } from './messaging-actions.ts';
import { draftQuery } from './messaging-queries.ts';
import { counterpartName } from './row-texts.ts';

/** Remaining characters at which the counter appears. */
const counted = 300;
const maxLines = 8;

/** Message composer. Enter sends on devices with a keyboard, and inserts a line break on touch screens. */
export function Composer({
  conversation,
  files,
  crisis,
}: {
  conversation: Conversation;
  files: Attachments;
  crisis: boolean;
}) {
  const { id: conversationId, with: other } = conversation;
  const keeper = useMessageSync();
  const unsent = useUnsentMessages(conversationId);
  const [text, setText] = useDraft(conversationId, unsent.length > 0);
  const sayWriting = useSendTyping(conversationId);
  const hintId = useId();
  const countId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const words = text.trim();
  const left = limits.text!.max! - words.length;
  // Failed files block sending until removed, so people don't assume they were sent.
  const complete = files.ready.length === files.chosen.length;
  const ready = (words !== '' || files.ready.length > 0) && left >= 0 && complete;

  const send = () => {
    if (!ready) return;
    keeper.send(conversationId, {
      id: crypto.randomUUID(),
      text: words,
      attachments: files.ready,
      writtenAt: new Date().toISOString(),
    });
    setText('');
    files.clear();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // During IME composition, Enter accepts the candidate.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    if (!window.matchMedia('(hover: hover) and (pointer: fine)').matches) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      onSubmit={submit}
      data-bar
      // With large text, leaves some of the conversation in view.
      className="max-h-2/3 shrink-0 overflow-y-auto border-t border-line bg-card px-3 pt-3 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:px-5"
    >
      {crisis && <CrisisHelp text={text} className="mb-3" />}
      <AttachmentChips files={files} />
      <div className="flex items-end gap-1.5">
        <AttachmentPicker files={files} />
        <Textarea
          ref={field}
          rows={Math.min(maxLines, text.split('\n').length)}
          value={text}
          aria-label={m.messaging_compose({ name: counterpartName(other) })}
          aria-describedby={`${hintId} ${countId}`}
          aria-invalid={left < 0 || undefined}
          placeholder={m.messaging_compose_placeholder()}
          onChange={(event) => {
            setText(event.target.value);
            if (event.target.value.trim() !== '') sayWriting();
          }}
          onKeyDown={onKeyDown}
          className="max-h-48 min-h-12! flex-1 resize-none!"
        />
        <Button
          type="submit"
          size="icon"
          aria-label={m.messaging_send()}
          disabled={!ready}
          className="size-12!"
        >
          <SendHorizontal />
        </Button>
      </div>
      <div className="flex min-h-11 flex-wrap items-center gap-x-1 text-sm text-quiet">
        {crisis && (
          <div className="flex flex-wrap items-center">
            {m.messaging_crisis()} <HelpNow brief className="[&>svg]:hidden" />
          </div>
        )}
        <p id={hintId} className={classes('ml-auto pointer-coarse:hidden', crisis && 'max-lg:sr-only')}>
          {m.messaging_send_hint()}
        </p>
        <p
          id={countId}
          aria-live="polite"
          className={classes('basis-full text-right', left < 0 && 'font-semibold text-clay')}
        >
          {left <= counted && countText(left)}
        </p>
      </div>
    </form>
  );
}

export function ClosedNote({ children }: { children: ReactNode }) {
  return (
    <p className="border-t border-line bg-sunken px-5 py-4 text-center text-quiet" role="status">
      {children}
    </p>
  );
}

function countText(left: number): string {
  return left < 0 ? m.messaging_too_long({ count: -left }) : m.web_characters_left({ count: left });
}

/** Autosave debounce, in milliseconds. */
const pause = 700;

/**
 * Autosaves a conversation draft to the server, so it follows the person across devices. `held` pauses autosave while a
 * message is sending: until it arrives, the server's draft is its only other copy.
 */
function useDraft(conversationId: string, held: boolean): [string, (text: string) => void] {
  const queries = useQueryClient();
  const { typed } = useMessageSync();
  const { data } = useQuery({ ...draftQuery(api.messaging, conversationId), staleTime: 0 });
  // Null until the first edit here; until then the server's draft applies.
  const [written, setWritten] = useState(() => {
    const known = typed.get(conversationId) ?? null;
    return known === '' && !held ? null : known;
  });
  const kept = data?.text;
  const { queryKey } = draftQuery(api.messaging, conversationId);
  const waiting = useRef<string | null>(null);
  const keep = async () => {
    const text = waiting.current;
    if (text === null || text.length > draftLimits.text!.max!) return;
    waiting.current = null;
    queries.setQueryData(queryKey, { text });
    try {
      await api.messaging.conversations.saveDraft.call({ conversationId, text });
      if (typed.get(conversationId)?.trim() === text) typed.delete(conversationId);
    } catch {
      // The next keystroke, or leaving the page, retries.
      waiting.current ??= text;
    }
  };
  const latest = useRef({ keep, held });
  useEffect(() => {
    latest.current = { keep, held };
  });
  useEffect(() => {
    if (written === null || held) return;
    waiting.current = written.trim();
    const timer = setTimeout(() => void latest.current.keep(), pause);
    return () => clearTimeout(timer);
  }, [written, held]);
  useEffect(() => {
    const hidden = () => {
      if (document.visibilityState === 'hidden') void latest.current.keep();
    };
    document.addEventListener('visibilitychange', hidden);
    return () => {
      document.removeEventListener('visibilitychange', hidden);
      // The outbox still has what waits here.
      if (!latest.current.held) void latest.current.keep();
    };
  }, []);
  const write = (text: string) => {
    typed.set(conversationId, text);
    setWritten(text);
  };
  return [written ?? kept ?? '', write];
}
