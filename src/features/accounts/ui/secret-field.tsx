import { Copy, Download } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';

export interface SecretText {
  text: string;
  /** File name of the download. */
  file: string;
  /** Toast after copying. */
  copied: string;
}

/** For secrets shown only once. */
export function SecretField({ text, file, copied, onKept }: SecretText & { onKept?: () => void }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        toast.done(copied);
        return onKept?.();
      },
      () => toast.failed(m.second_step_codes_not_copied()),
    );
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="secondary" size="sm" onClick={() => void copy()}>
        <Copy />
        {m.second_step_copy()}
      </Button>
      <a
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        download={file}
        onClick={onKept}
        className="inline-flex min-h-11 items-center gap-2 rounded-control px-3 font-semibold text-primary hover:bg-sunken [&_svg]:size-4.5"
      >
        <Download />
        {m.web_download()}
      </a>
    </div>
  );
}
