import type { ReactNode } from 'react';
import limits from 'virtual:limits/care.notes.write';
import { m } from '#/texts/messages.js';
import { Field, Textarea } from '#/web/components/field.tsx';
import { FormButtons } from '#/web/components/form-buttons.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { entriesKept } from '#/web/failures.ts';
import { useForm, type Form, type FormOptions } from '#/web/form.tsx';
import { careFailureText } from './care-queries.ts';

export interface NoteDraft {
  text: string;
  /** Empty: about the client in general. */
  appointmentId: string;
}

/** Keeps drafts only in memory. */
export function useNoteForm(options: Pick<FormOptions<NoteDraft>, 'values' | 'save'>): Form<NoteDraft> {
  return useForm({
    ...options,
    limits,
    sentence,
    failureText: (error) => careFailureText(error, entriesKept),
  });
}

export function NoteForm({
  form,
  submitLabel,
  hint,
  onCancel,
  notice,
  children,
}: {
  form: Form<NoteDraft>;
  submitLabel: string;
  hint?: string;
  onCancel?: () => void;
  /** In place of the failure. */
  notice?: ReactNode;
  /** Fields above the text. */
  children?: ReactNode;
}) {
  const { register, errorOf, failure, busy } = form;
  return (
    <form {...form.props} className="grid gap-4">
      {notice ?? <FailureAlert text={failure} />}
      {children}
      <Field label={m.care_notes_field_text()} error={errorOf('text')}>
        <Textarea {...register('text')} rows={5} autoComplete="off" className="min-h-36 leading-7" />
      </Field>
      <FormButtons submitLabel={submitLabel} busy={busy} onCancel={onCancel} hint={hint} />
    </form>
  );
}

function sentence(field: string, reason: string): string | undefined {
  if (field !== 'text') return undefined;
  return reason === 'bad_format' ? m.web_text_bad() : m.web_words_missing();
}
