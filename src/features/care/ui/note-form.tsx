import { useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Field, Textarea } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { entriesKept, fieldProblems } from '#/web/failures.ts';
import { careFailureText } from './care-acts.ts';

/** Drafts live only in memory. `save` throws server errors. */
export function NoteForm({
  text,
  onText,
  submitLabel,
  hint,
  onCancel,
  focused = false,
  children,
  save,
}: {
  text: string;
  onText: (text: string) => void;
  submitLabel: string;
  hint?: string;
  onCancel?: () => void;
  focused?: boolean;
  /** Fields above the text. */
  children?: ReactNode;
  save: () => Promise<void>;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const refuse = (sentence: string) => {
    flushSync(() => setError(sentence));
    field.current?.focus();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    if (text.trim() === '') {
      refuse(m.care_notes_text_required());
      return;
    }
    setError(undefined);
    setFailure(null);
    setBusy(true);
    try {
      await save();
    } catch (thrown) {
      const sentence = sentenceOf(thrown);
      if (sentence) refuse(sentence);
      else setFailure(careFailureText(thrown, entriesKept));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure && (
        <Notice tone="destructive" title={m.care_failed_title()}>
          {failure}
        </Notice>
      )}
      {children}
      <Field label={m.care_notes_field_text()} error={error}>
        <Textarea
          ref={(area) => {
            if (focused && field.current === null) area?.focus();
            field.current = area;
          }}
          rows={5}
          autoComplete="off"
          value={text}
          onChange={(event) => onText(event.target.value)}
          className="min-h-36 leading-7"
        />
      </Field>
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
    </form>
  );
}

function sentenceOf(error: unknown): string | undefined {
  const refused = fieldProblems(error).find(({ field }) => field === 'text');
  if (!refused) return undefined;
  if (refused.reason === 'too_large') return m.care_notes_text_long();
  return refused.reason === 'bad_format' ? m.care_notes_text_bad() : m.care_notes_text_required();
}
