import { useId, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import type { FormFrame } from '../form.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FailureAlert } from './notice.tsx';

export function FormDialog({
  title,
  description,
  submitLabel,
  destructive = false,
  failedTitle = m.web_save_failed(),
  form: { props, failure, busy },
  onClose,
  children,
}: {
  title: string;
  description?: string;
  submitLabel: string;
  destructive?: boolean;
  /** Heads errors unrelated to a field. */
  failedTitle?: string;
  form: FormFrame;
  onClose: () => void;
  children: ReactNode;
}) {
  const formId = useId();
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" onClick={onClose} disabled={busy}>
            {m.web_cancel()}
          </Button>
          <Button variant={destructive ? 'destructive' : 'primary'} type="submit" form={formId} busy={busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form {...props} id={formId} className="grid gap-5">
        {children}
        <FailureAlert title={failedTitle} text={failure} />
      </form>
    </Dialog>
  );
}
