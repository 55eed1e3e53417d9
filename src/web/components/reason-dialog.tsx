import { useRef, useState, type ReactNode } from 'react';
import { AlertDialog } from './alert-dialog.tsx';
import { Field, Textarea } from './field.tsx';

/** Requires a reason before returning something to its author. Keeps the typed text until success. */
export function ReasonDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel,
  words,
  maxLength = 500,
  busy,
  onConfirm,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  confirmLabel: ReactNode;
  cancelLabel?: ReactNode;
  words: { label: string; hint: string; missing: string };
  maxLength?: number;
  busy: boolean;
  onConfirm: (reason: string) => void;
  children?: ReactNode;
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
      cancelLabel={cancelLabel}
      busy={busy}
      onConfirm={confirm}
    >
      <Field label={words.label} hint={words.hint} error={missing && !reason.trim() && words.missing}>
        <Textarea
          ref={field}
          rows={3}
          maxLength={maxLength}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      {children}
    </AlertDialog>
  );
}
