import { CircleAlert, Download, ExternalLink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { timeText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { Button } from '#/web/components/button.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import type { Attachment } from '../attachments/contract.ts';
import type { Message } from '../contract.ts';
import type { Unsent } from './unsent-messages.ts';
import { FileIcon } from './attachment-icon.tsx';
import { sizeText } from './attachment-texts.ts';

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
            {m.web_delete()}
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

const AttachmentDialog = lazyPart(async () => (await import('./attachment-dialog.tsx')).AttachmentDialog);

/** Largest preview, in pixels. */
const widest = 288;
const highest = 320;

function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
  const [shown, setShown] = useState<Attachment | null>(null);
  return (
    <>
      <ul className="grid gap-2">
        {attachments.map((one) => (
          <li key={one.id} className="min-w-0">
            <One attachment={one} onShow={setShown} />
          </li>
        ))}
      </ul>
      {shown && <AttachmentDialog attachment={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function One({ attachment, onShow }: { attachment: Attachment; onShow: (one: Attachment) => void }) {
  const { name, contentType, path, width, height } = attachment;
  const [failed, setFailed] = useState(false);
  if (failed)
    return (
      <>
        <p className="text-sm text-quiet">{m.messaging_file_gone({ name })}</p>
        <FileRow attachment={attachment} />
      </>
    );
  if (width !== null && height !== null) {
    const scale = Math.min(1, widest / width, highest / height);
    return (
      <button
        type="button"
        aria-label={m.messaging_file_open_picture({ name })}
        onClick={() => onShow(attachment)}
        className="block max-w-full min-h-11 min-w-11 cursor-zoom-in overflow-hidden rounded-control bg-sunken"
      >
        <img
          src={path}
          alt=""
          loading="lazy"
          decoding="async"
          width={Math.max(1, Math.round(width * scale))}
          height={Math.max(1, Math.round(height * scale))}
          onError={() => setFailed(true)}
          className="h-auto max-w-full object-contain"
        />
      </button>
    );
  }
  if (contentType.startsWith('audio/') || contentType.startsWith('video/'))
    return (
      <div className="grid grid-cols-1 gap-1">
        {contentType.startsWith('audio/') ? (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people record for each other has none
          <audio
            controls
            preload="none"
            src={path}
            aria-label={name}
            onError={() => setFailed(true)}
            className="w-72 max-w-full"
          />
        ) : (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- as above
          <video
            controls
            preload="metadata"
            src={path}
            aria-label={name}
            onError={() => setFailed(true)}
            className="aspect-video w-80 max-w-full rounded-control bg-sunken"
          />
        )}
        <FileRow attachment={attachment} />
      </div>
    );
  return <FileRow attachment={attachment} />;
}

function FileRow({ attachment: { name, contentType, size, path } }: { attachment: Attachment }) {
  const opens = contentType === 'application/pdf';
  const file = { name, size: sizeText(size) };
  return (
    <a
      href={path}
      {...(opens ? { target: '_blank', rel: 'noreferrer' } : { download: name })}
      className="flex min-h-11 w-80 max-w-full min-w-0 items-center gap-2.5 rounded-control border border-control bg-card px-3 py-1.5 text-ink no-underline hover:bg-sunken"
    >
      <span className="sr-only">{opens ? m.messaging_file_open(file) : m.messaging_file_download(file)}</span>
      <FileIcon contentType={contentType} className="size-5 shrink-0 text-quiet" />
      <span aria-hidden className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-semibold [unicode-bidi:isolate]">
          {name}
        </span>
        <span className="block text-sm text-quiet">{file.size}</span>
      </span>
      {opens ? (
        <ExternalLink aria-hidden className="size-4.5 shrink-0 text-primary" />
      ) : (
        <Download aria-hidden className="size-4.5 shrink-0 text-primary" />
      )}
    </a>
  );
}
