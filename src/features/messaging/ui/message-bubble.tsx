import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { timeText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { Button } from '#/web/components/button.tsx';
import type { Attachment } from '../attachments/contract.ts';
import type { Message } from '../contract.ts';
import { AttachmentList } from './attachment-list.tsx';
import type { Unsent } from './unsent-messages.ts';

export function MessageBubble({
  message,
  name,
  timeZone,
  follows,
  found,
  state,
}: {
  message: Message;
  name: string;
  timeZone: string;
  /** Grouped with the previous message. */
  follows: boolean;
  /** Whether this is the linked message. */
  found: boolean;
  state?: string | undefined;
}) {
  const { seq, mine, text, attachments, sentAt } = message;
  return (
    <li
      data-seq={seq}
      data-mine={mine || undefined}
      tabIndex={found ? -1 : undefined}
      className={classes(
        'flex flex-col rounded-card',
        follows ? 'pt-1' : 'pt-3',
        mine ? 'items-end' : 'items-start',
      )}
    >
      <Bubble mine={mine} found={found} text={text} attachments={attachments} said={saidBy(mine, name)}>
        <time dateTime={sentAt} className="text-sm text-quiet">
          {timeText(sentAt, timeZone)}
        </time>
      </Bubble>
      {state && <p className="mt-0.5 px-1 text-sm text-quiet">{state}</p>}
    </li>
  );
}

export function UnsentBubble({
  message: { id, text, attachments, failure },
  onRetry,
  onDiscard,
}: {
  message: Unsent;
  onRetry: (id: string) => void;
  onDiscard: (id: string) => void;
}) {
  const beginning = text.slice(0, 60);
  return (
    <li className="flex flex-col items-end pt-3">
      <Bubble
        mine
        text={text}
        attachments={attachments}
        said={saidBy(true, '')}
        className={failure === null ? 'opacity-70' : 'border-clay'}
      >
        {failure === null && <span className="text-sm">{m.messaging_state_sending()}</span>}
      </Bubble>
      {failure !== null && (
        <div className="mt-1 flex max-w-[min(85%,34rem)] flex-wrap items-center justify-end gap-x-1">
          <p role="alert" className="flex items-start gap-1.5 px-1 text-sm text-clay">
            <CircleAlert className="mt-0.5 size-4 shrink-0" />
            <span>
              <span className="font-semibold">{m.messaging_state_failed()}.</span> {failure}
            </span>
          </p>
          <Button
            variant="quiet"
            size="sm"
            aria-label={m.messaging_retry_of({ text: beginning })}
            onClick={() => onRetry(id)}
          >
            {m.web_try_again()}
          </Button>
          <Button
            variant="quiet"
            size="sm"
            aria-label={m.messaging_discard_of({ text: beginning })}
            onClick={() => onDiscard(id)}
          >
            {m.messaging_discard()}
          </Button>
        </div>
      )}
    </li>
  );
}

function saidBy(mine: boolean, name: string): string {
  return mine ? m.messaging_said_mine() : m.messaging_said_other({ name });
}

/** Bidi isolation keeps right-to-left text from reordering its surroundings. */
function Bubble({
  mine,
  found = false,
  text,
  attachments,
  said,
  className,
  children,
}: {
  mine: boolean;
  found?: boolean;
  text: string;
  attachments: readonly Attachment[];
  said: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div
      className={classes(
        'max-w-[min(85%,34rem)] min-w-0 rounded-card border px-3.5 py-2',
        mine ? 'border-transparent bg-primary-soft' : 'border-line bg-card',
        found && 'outline-2 outline-offset-2 outline-gold-edge',
        className,
      )}
    >
      <span className="sr-only">{said}</span>
      {/* Time beside short messages, below long ones. */}
      <div className="flex flex-wrap items-end justify-end gap-x-3">
        {text !== '' && (
          <p dir="auto" className="flex-auto whitespace-pre-wrap wrap-anywhere [unicode-bidi:isolate]">
            {text}
          </p>
        )}
        {attachments.length > 0 && (
          <div className="my-1 max-w-full basis-full">
            <AttachmentList attachments={attachments} />
          </div>
        )}
        {children}
      </div>
    </div>
  );
}
