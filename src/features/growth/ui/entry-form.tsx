import { useEffect } from 'react';
import limits from 'virtual:limits/growth.journal.write';
import { m } from '#/texts/messages.js';
import { ChangedElsewhere } from '#/web/components/changed-elsewhere.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Field, Textarea, TextField, SelectField } from '#/web/components/field.tsx';
import { FormButtons } from '#/web/components/form-buttons.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { useEditedVersion } from '#/web/edited-version.ts';
import { moods, type Mood } from './moods.ts';
import { useGrowthForm } from './growth-actions.ts';

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
  version = 0,
  onUnsaved,
  today,
  submitLabel,
  note,
  onCancel,
  save,
  onSaved,
}: {
  draft: EntryDraft;
  /** Of the stored entry. */
  version?: number;
  onUnsaved: (unsaved: boolean) => void;
  today: string;
  submitLabel: string;
  /** Shown next to the buttons. */
  note?: string;
  onCancel?: () => void;
  /** `base` is the version to replace. */
  save: (draft: EntryDraft, base: number) => Promise<{ draft: EntryDraft; version: number }>;
  /** Not called if more was typed meanwhile. */
  onSaved?: () => void;
}) {
  const edited = useEditedVersion(version, draft);
  const form = useGrowthForm<EntryDraft>({
    values: draft,
    version: draft.date,
    limits,
    sentence,
    save: (typed) => store(typed, edited.base),
  });
  const store = async (typed: EntryDraft, base: number) => {
    edited.sending(typed);
    const stored = await save(typed, base);
    edited.follow(stored.version);
    if (!form.takeSaved(stored.draft)) onSaved?.();
  };
  const { field, register, errorOf, failure, busy, unsaved } = form;
  useEffect(() => onUnsaved(unsaved), [onUnsaved, unsaved]);
  const overwrite = () => {
    edited.follow(version);
    void form.submit((typed) => store(typed, version));
  };
  const load = () => {
    edited.follow(version);
    form.reset(draft);
    form.props.ref.current?.querySelector('textarea')?.focus();
  };
  return (
    <form {...form.props} className="grid gap-4">
      {edited.isOutdated && !busy ? (
        <ChangedElsewhere onOverwrite={overwrite} onLoad={load} />
      ) : (
        <FailureAlert text={failure} />
      )}
      <div>
        <Field label={m.growth_journal_field_text()} error={errorOf('text')}>
          <Textarea rows={6} {...register('text')} className="min-h-40 leading-7" />
        </Field>
        <CrisisHelp text={form.watch(['title', 'text']).join('\n')} className="mt-3" />
      </div>
      <div className="grid grid-cols-2 gap-4 max-xs:grid-cols-1">
        <TextField label={m.web_date()} type="date" max={today} {...field('date')} />
        <SelectField label={m.growth_journal_mood()} optional {...field('mood')}>
          <option value="none">{m.growth_journal_mood_none()}</option>
          {moods.map(({ value, label }) => (
            <option key={value} value={value}>
              {label()}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField label={m.growth_journal_field_title()} optional {...field('title')} />
      <FormButtons submitLabel={submitLabel} busy={busy} onCancel={onCancel} hint={note} />
    </form>
  );
}

export function inputOf({ title, text, mood, date }: EntryDraft) {
  return {
    text,
    ...(title.trim() === '' ? {} : { title }),
    ...(mood === 'none' ? {} : { mood: Number(mood) }),
    ...(date === '' ? {} : { date }),
  };
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'text') return reason === 'bad_format' ? m.web_text_bad() : m.web_words_missing();
  if (field === 'title') return m.web_text_bad();
  if (field === 'date') return reason === 'in_future' ? m.growth_journal_date_future() : m.web_date_missing();
  return undefined;
}
