import type { ReactNode } from 'react';
import { useForm } from '../form.tsx';
import type { Limits } from '../limits.ts';
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
  limits,
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
  /** Limits of the procedure that takes the `reason`. */
  limits: Limits;
  busy: boolean;
  /** Callers show failures. */
  onConfirm: (reason: string) => void;
  children?: ReactNode;
}) {
  const save = ({ reason }: { reason: string }) => Promise.resolve(onConfirm(reason.trim()));
  const form = useForm({
    values: { reason: '' },
    limits,
    sentence: () => words.missing,
    save,
  });
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      confirmLabel={confirmLabel}
      cancelLabel={cancelLabel}
      busy={busy}
      onConfirm={() => void form.submit(save)}
    >
      <form {...form.props}>
        <Field label={words.label} hint={words.hint} error={form.errorOf('reason')}>
          <Textarea {...form.register('reason')} rows={3} />
        </Field>
      </form>
      {children}
    </AlertDialog>
  );
}
