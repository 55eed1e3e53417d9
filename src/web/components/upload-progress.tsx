import { Upload } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Button } from './button.tsx';

/** Shows how much of a file has been sent, from 0 to 1. */
export function UploadProgress({
  label,
  sent,
  onCancel,
}: {
  label: string;
  sent: number;
  onCancel: () => void;
}) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <Upload aria-hidden className="size-5 text-quiet" />
      <progress max={1} value={sent} aria-label={label} className="h-2 min-w-32 flex-1 accent-primary" />
      <Button variant="secondary" size="sm" onClick={onCancel}>
        {m.web_cancel()}
      </Button>
    </div>
  );
}
