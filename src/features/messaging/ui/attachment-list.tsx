import { Download, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { lazyPart } from '#/web/lazy-part.tsx';
import type { Attachment } from '../attachments/contract.ts';
import { FileIcon } from './attachment-icon.tsx';
import { sizeText } from './attachment-texts.ts';

const AttachmentDialog = lazyPart(async () => (await import('./attachment-dialog.tsx')).AttachmentDialog);

/** Largest preview, in pixels. */
const widest = 288;
const highest = 320;

export function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
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
