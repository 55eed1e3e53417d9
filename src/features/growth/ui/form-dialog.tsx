import { useId, type ReactNode, type SubmitEvent } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { Saving } from '#/web/form-saving.ts';

/** A dialog with a form in it, which is sent or left. */
export function FormDialog({
  title,
  submitLabel,
  saving: { form, failure, busy },
  onSubmit,
  onClose,
  children,
}: {
  title: string;
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
      onOpenChange={(open) => !open && onClose()}
      title={title}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {m.web_cancel()}
          </Button>
          <Button type="submit" form={formId} busy={busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={onSubmit} className="grid gap-5">
        {failure && (
          <Notice tone="destructive" title={m.growth_failed_title()}>
            {failure}
          </Notice>
        )}
        {children}
      </form>
    </Dialog>
  );
}
