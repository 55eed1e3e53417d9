import { useRef, useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Field, Textarea } from '#/web/components/field.tsx';

/** Asks why before a resource goes back to its author; what was typed stays until it is done. */
export function ReasonDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  busy,
  onConfirm,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  confirmLabel: ReactNode;
  busy: boolean;
  onConfirm: (reason: string) => void;
}) {
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const confirm = () => {
    if (reason.trim()) return onConfirm(reason.trim());
    setMissing(true);
    field.current?.focus();
  };
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      confirmLabel={confirmLabel}
      busy={busy}
      onConfirm={confirm}
    >
      <Field
        label={m.resources_reason()}
        hint={m.resources_reason_hint()}
        error={missing && !reason.trim() && m.resources_reason_missing()}
      >
        <Textarea
          ref={field}
          rows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </AlertDialog>
  );
}
