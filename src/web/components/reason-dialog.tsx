import { m } from '#/texts/messages.js';
import { useForm } from '../form.tsx';
import type { Limits } from '../limits.ts';
import { AlertDialog } from './alert-dialog.tsx';
import type { AlertDialogProps } from './dialog-views.tsx';
import { TextareaField } from './field.tsx';

/** Requires a reason before returning something to its author. Keeps the typed text until success. */
export function ReasonDialog({
  hint = m.web_reason_hint(),
  limits,
  onConfirm,
  children,
  ...question
}: Omit<AlertDialogProps, 'onConfirm' | 'tone'> & {
  hint?: string;
  /** Limits of the procedure that takes the `reason`. */
  limits: Limits;
  /** Callers show failures. */
  onConfirm: (reason: string) => void;
}) {
  const save = ({ reason }: { reason: string }) => Promise.resolve(onConfirm(reason.trim()));
  const form = useForm({
    values: { reason: '' },
    limits,
    sentence: () => m.web_reason_missing(),
    save,
  });
  return (
    <AlertDialog {...question} onConfirm={() => void form.submit(save)}>
      <form {...form.props}>
        <TextareaField label={m.web_reason()} hint={hint} {...form.field('reason')} rows={3} />
      </form>
      {children}
    </AlertDialog>
  );
}
