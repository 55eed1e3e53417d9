import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Field, Select, TextInput, Textarea } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { moods, type Mood } from './moods.ts';
import { useSaving } from './saving.ts';

/** Kept only in memory, never in browser storage. */
export interface EntryDraft {
  title: string;
  text: string;
  mood: Mood | 'none';
  date: string;
}

/** `save` throws server errors. */
export function EntryForm({
  draft,
  onDraft,
  today,
  submitLabel,
  note,
  onCancel,
  save,
}: {
  draft: EntryDraft;
  onDraft: (draft: EntryDraft) => void;
  today: string;
  submitLabel: string;
  /** Shown next to the buttons. */
  note?: string;
  onCancel?: () => void;
  save: () => Promise<void>;
}) {
  const { form, errors, failure, busy, submit } = useSaving(sentence);
  const missing = () => (draft.text.trim() === '' ? { text: m.growth_journal_text_required() } : {});
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void submit(event, missing(), save)}
      className="grid gap-4"
    >
      {failure && (
        <Notice tone="destructive" title={m.growth_failed_title()}>
          {failure}
        </Notice>
      )}
      <div>
        <Field label={m.growth_journal_field_text()} error={errors.text}>
          <Textarea
            rows={6}
            value={draft.text}
            onChange={(event) => onDraft({ ...draft, text: event.target.value })}
            className="min-h-40 leading-7"
          />
        </Field>
        <CrisisHelp text={`${draft.title}\n${draft.text}`} className="mt-3" />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={m.growth_journal_field_date()} error={errors.date}>
          <TextInput
            type="date"
            max={today}
            value={draft.date}
            onChange={(event) => onDraft({ ...draft, date: event.target.value })}
          />
        </Field>
        <Field label={m.growth_journal_mood()} error={errors.mood} optional>
          <Select
            value={draft.mood}
            onChange={(event) =>
              onDraft({
                ...draft,
                mood: moods.find(({ value }) => value === event.target.value)?.value ?? 'none',
              })
            }
          >
            <option value="none">{m.growth_journal_mood_none()}</option>
            {moods.map(({ value, label }) => (
              <option key={value} value={value}>
                {label()}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field label={m.growth_journal_field_title()} error={errors.title} optional>
        <TextInput
          maxLength={200}
          value={draft.title}
          onChange={(event) => onDraft({ ...draft, title: event.target.value })}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button type="submit" busy={busy} className="max-sm:w-full">
          {submitLabel}
        </Button>
        {onCancel && (
          <Button variant="secondary" className="max-sm:w-full" onClick={onCancel}>
            {m.growth_journal_cancel()}
          </Button>
        )}
        {note && <p className="min-w-0 flex-1 basis-60 text-sm text-quiet">{note}</p>}
      </div>
    </form>
  );
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'text') {
    if (reason === 'too_large') return m.growth_journal_text_long();
    return reason === 'bad_format' ? m.growth_field_bad() : m.growth_journal_text_required();
  }
  if (field === 'title') return reason === 'too_large' ? m.growth_goal_title_long() : m.growth_field_bad();
  if (field === 'date')
    return reason === 'in_future' ? m.growth_journal_date_future() : m.growth_field_date_bad();
  return undefined;
}
