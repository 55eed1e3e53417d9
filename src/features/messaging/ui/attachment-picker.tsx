import { CircleAlert, Paperclip, RotateCcw, X } from 'lucide-react';
import { useId, useRef, useState, type ClipboardEvent, type DragEvent, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { maxAttachmentBytes } from '../rules.ts';
import { FileIcon } from './attachment-icon.tsx';
import { sizeText } from './attachment-texts.ts';
import { maxAttachments, type Attachments, type Chosen } from './attachment-upload.ts';

/** File picker hint only: the server detects the real type from the bytes. */
const accepted =
  'image/jpeg,image/png,image/webp,image/gif,application/pdf,text/plain,.txt,.md,.csv,audio/mpeg,audio/mp4,.m4a,audio/ogg,video/mp4,.docx,.xlsx';

export function AttachmentPicker({ files }: { files: Attachments }) {
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();
  return (
    <>
      <Button
        ref={(button) => files.setButton(button)}
        variant="quiet"
        size="icon"
        aria-label={m.messaging_file_add()}
        aria-describedby={hintId}
        title={m.messaging_file_add()}
        className="-ml-1 size-12!"
        onClick={() => input.current?.click()}
      >
        <Paperclip />
      </Button>
      <span id={hintId} hidden>
        {m.messaging_file_limits({ count: maxAttachments, size: sizeText(maxAttachmentBytes) })}
      </span>
      <input
        ref={input}
        type="file"
        multiple
        accept={accepted}
        aria-label={m.messaging_file_add()}
        tabIndex={-1}
        className="hidden"
        onChange={({ target }) => {
          files.add(target.files ?? []);
          // Lets the same file be selected again.
          target.value = '';
        }}
      />
    </>
  );
}

export function AttachmentChips({ files }: { files: Attachments }) {
  const { chosen, problem, news } = files;
  return (
    <div className={classes((chosen.length > 0 || problem) && 'pb-2')}>
      {chosen.length > 0 && (
        <ul
          aria-label={m.messaging_file_chosen()}
          className="flex max-h-[35dvh] flex-wrap gap-2 overflow-y-auto"
        >
          {chosen.map((one) => (
            <Chip key={one.key} one={one} files={files} />
          ))}
        </ul>
      )}
      {problem && (
        <p role="alert" className="mt-2 flex items-start gap-1.5 text-sm font-medium text-clay">
          <CircleAlert className="mt-0.5 size-4 shrink-0" />
          {problem}
        </p>
      )}
      <p role="status" className="sr-only">
        {news}
      </p>
    </div>
  );
}

function Chip({ one, files }: { one: Chosen; files: Attachments }) {
  const { key, file, sent, attachment, failure, again } = one;
  const { name } = file;
  const underWay = !attachment && failure === null;
  return (
    <li
      className={classes(
        'flex max-w-full min-w-0 items-center gap-2 rounded-control border py-1 pr-1 pl-3',
        failure === null ? 'border-line bg-sunken' : 'border-clay bg-clay-soft',
      )}
    >
      <FileIcon contentType={attachment?.contentType ?? file.type} className="size-5 shrink-0 text-quiet" />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="max-w-52 truncate text-sm font-semibold [unicode-bidi:isolate]">
          {name}
        </p>
        {failure === null ? (
          <p className="text-sm text-quiet">
            {underWay ? partText(sent) : sizeText(attachment?.size ?? file.size)}
          </p>
        ) : (
          <p role="alert" className="max-w-72 text-sm text-clay">
            {failure}
          </p>
        )}
        {underWay && (
          <progress
            max={1}
            value={sent}
            aria-label={m.web_uploading({ name })}
            className="mt-0.5 block h-1.5 w-full min-w-28 accent-primary"
          />
        )}
      </div>
      {failure !== null && again && (
        <Button
          variant="quiet"
          size="icon"
          aria-label={m.messaging_file_retry_of({ name })}
          title={m.web_try_again()}
          onClick={() => {
            files.retry(key);
            // Move focus: this button disappears.
            files.toButton();
          }}
        >
          <RotateCcw />
        </Button>
      )}
      <Button
        variant="quiet"
        size="icon"
        aria-label={underWay ? m.messaging_file_cancel({ name }) : m.web_remove_name({ name })}
        onClick={() => files.remove(key)}
      >
        <X />
      </Button>
    </li>
  );
}

/** The server may still check a sent file. */
function partText(sent: number): string {
  return sent >= 1
    ? m.messaging_file_checking()
    : m.messaging_file_uploading_part({ percent: Math.floor(sent * 100) });
}

export function AttachmentDrop({ files, children }: { files: Attachments; children: ReactNode }) {
  // Child elements fire their own dragenter and dragleave.
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const brings = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const enter = (event: DragEvent, step: 1 | -1) => {
    if (!brings(event)) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + step);
    setOver(depth.current > 0);
  };
  const paste = (event: ClipboardEvent) => {
    const { files: pasted, types } = event.clipboardData;
    // Office apps add an image of copied text: paste the text.
    if (pasted.length === 0 || types.includes('text/plain')) return;
    event.preventDefault();
    files.add(pasted);
  };
  return (
    <div
      className="relative flex h-full flex-col"
      onDragEnter={(event) => enter(event, 1)}
      onDragLeave={(event) => enter(event, -1)}
      onDragOver={(event) => {
        if (brings(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!brings(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        files.add(event.dataTransfer.files);
      }}
      onPaste={paste}
    >
      {children}
      {over && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-card border-2 border-dashed border-primary bg-primary-soft/90 text-lg font-semibold text-primary"
        >
          {m.messaging_file_drop()}
        </div>
      )}
    </div>
  );
}
