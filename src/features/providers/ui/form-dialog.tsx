import { useId, type ReactNode, type SubmitEvent } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { Saving } from '#/web/form-saving.ts';

/** A dialog with a form in it, which is sent or left. */
export function FormDialog({
  title,
  description,
  submitLabel,
  saving: { form, failure, busy },
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  description?: string;
  submitLabel: string;
  saving: Saving;
  onSubmit: (event: SubmitEvent) => void;
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
          <Button type="submit" form={formId} busy={busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={onSubmit} className="grid gap-5">
        {children}
        {failure && (
          <Notice tone="destructive" title={m.practice_failed()}>
            {failure}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
