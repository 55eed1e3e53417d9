import { m } from '#/texts/messages.js';
import { Button } from './button.tsx';

/** A form's submit button, and one to leave it; `hint` says what saving does. */
export function FormButtons({
  submitLabel,
  busy,
  onCancel,
  hint,
}: {
  submitLabel: string;
  busy: boolean;
  onCancel: (() => void) | undefined;
  hint: string | undefined;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Button type="submit" busy={busy} className="max-sm:w-full">
        {submitLabel}
      </Button>
      {onCancel && (
        <Button variant="secondary" className="max-sm:w-full" onClick={onCancel}>
          {m.web_cancel()}
        </Button>
      )}
      {hint && <p className="min-w-0 flex-1 basis-60 text-sm text-quiet">{hint}</p>}
    </div>
  );
}
