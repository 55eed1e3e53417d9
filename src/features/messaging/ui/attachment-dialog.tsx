import { Download } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Dialog } from '#/web/components/dialog.tsx';
import type { Attachment } from '../attachments/contract.ts';
import { sizeText } from './attachment-texts.ts';

export function AttachmentDialog({
  attachment: { name, size, path, width, height },
  onClose,
}: {
  attachment: Attachment;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={
        <span dir="auto" className="block wrap-anywhere [unicode-bidi:isolate]">
          {name}
        </span>
      }
      footer={
        <a
          href={`${path}?download`}
          download={name}
          aria-label={m.messaging_file_download({ name, size: sizeText(size) })}
          className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-control bg-card px-5 py-2 font-semibold text-ink no-underline hover:bg-sunken"
        >
          <Download className="size-4.5" />
          {m.web_download()}
        </a>
      }
    >
      <img
        src={path}
        alt={m.messaging_file_picture({ name })}
        width={width ?? undefined}
        height={height ?? undefined}
        className="mx-auto h-auto max-h-[70dvh] w-auto max-w-full rounded-control bg-sunken object-contain"
      />
    </Dialog>
  );
}
