import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { useCallback, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { toast } from '#/web/components/toast.tsx';
import { fullPlainDateText, monthAndYear } from '#/web/times.ts';
import type { EntryView } from '../journal/contract.ts';
import { EntryForm, inputOf, type EntryDraft } from './entry-form.tsx';
import { useAction } from './growth-actions.ts';
import { journalQuery } from './growth-queries.ts';
import { moods } from './moods.ts';

/** Entries of the chosen month, or of all. */
export function useJournal() {
  const [chosen, setMonth] = useState('');
  const months = useQuery(api.growth.journal.months.queryOptions());
  // Its last entry may be gone.
  const month = months.data?.some((one) => one.month === chosen) ? chosen : '';
  const list = useInfiniteQuery(journalQuery(api.growth, month));
  const entries = list.data?.pages.flatMap((one) => one.entries);
  return { months, month, setMonth, list, entries };
}

export function JournalEntries({
  journal: { months, month, setMonth, list, entries },
  today,
  onEdited,
}: {
  journal: ReturnType<typeof useJournal>;
  today: string;
  onEdited: (id: string, isEdited: boolean) => void;
}) {
  return (
    <div className="min-w-0">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <h3 className="text-xl">{m.growth_journal_entries()}</h3>
        {(months.data?.length ?? 0) > 1 && (
          <Field label={m.growth_journal_month()} className="w-full sm:w-60">
            <Select value={month} onChange={(event) => setMonth(event.target.value)}>
              <option value="">{m.growth_journal_all_months()}</option>
              {months.data?.map(({ month: value, count }) => (
                <option key={value} value={value}>
                  {m.growth_journal_month_count({ month: monthAndYear(value), count })}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      <FetchedList
        query={list}
        entries={entries}
        empty={
          month === '' ? (
            <Card>
              <EmptyState as="p" illustration={<WindowIllustration />} title={m.growth_journal_empty_title()}>
                {m.growth_journal_empty_text()}
              </EmptyState>
            </Card>
          ) : (
            <p className="text-quiet">{m.growth_journal_empty_month()}</p>
          )
        }
        moreClassName="mt-6 text-center"
      >
        {(found) => (
          <ul className="grid gap-4">
            {found.map((entry) => (
              <Entry key={entry.id} entry={entry} today={today} onEdited={onEdited} />
            ))}
          </ul>
        )}
      </FetchedList>
      {(entries?.length ?? 0) > 0 && (
        <a
          href="/api/me/journal.txt"
          download
          className="mt-6 inline-flex min-h-11 items-center gap-2 font-semibold text-primary [&_svg]:size-4.5"
        >
          <Download aria-hidden />
          {m.growth_journal_download()}
        </a>
      )}
    </div>
  );
}

function draftOf({ title, text, mood, date }: EntryView): EntryDraft {
  const chosen = moods.find(({ value }) => value === String(mood));
  return { title: title ?? '', text, mood: chosen?.value ?? 'none', date };
}

function Entry({
  entry,
  today,
  onEdited,
}: {
  entry: EntryView;
  today: string;
  onEdited: (id: string, isEdited: boolean) => void;
}) {
  const queries = useQueryClient();
  const { busy, act } = useAction();
  const headingId = useId();
  const card = useRef<HTMLDivElement>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const [editing, setEditing] = useState(false);
  const [asking, setAsking] = useState(false);
  const { id, title, text, mood, date, version } = entry;
  const day = fullPlainDateText(date);

  const onUnsaved = useCallback((unsaved: boolean) => onEdited(id, unsaved), [onEdited, id]);
  const write = () => {
    flushSync(() => setEditing(true));
    card.current?.querySelector('textarea')?.focus();
  };
  const close = () => {
    flushSync(() => setEditing(false));
    onEdited(id, false);
    edit.current?.focus();
  };
  const remove = async () => {
    if (!(await act(() => api.growth.journal.remove.call({ entryId: id })))) return;
    setAsking(false);
    onEdited(id, false);
    document.getElementById('content')?.focus({ preventScroll: true });
    toast.done(m.growth_journal_deleted());
  };
  const moodText = moods.find(({ value }) => value === String(mood))?.label();

  return (
    <Card ref={card} as="li" className="list-none">
      {editing ? (
        <EntryForm
          draft={draftOf(entry)}
          version={version}
          onUnsaved={onUnsaved}
          today={today}
          submitLabel={m.web_save_changes()}
          onCancel={close}
          onSaved={close}
          save={async (draft, base) => {
            try {
              const stored = await api.growth.journal.change.call({
                entryId: id,
                version: base,
                ...inputOf(draft),
              });
              toast.done(m.growth_journal_saved());
              return { draft: draftOf(stored), version: stored.version };
            } finally {
              void queries.invalidateQueries({ queryKey: api.growth.key() });
            }
          }}
        />
      ) : (
        <article aria-labelledby={headingId}>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
            <time dateTime={date}>{day}</time>
            {moodText && <Badge tone="sage">{moodText}</Badge>}
          </div>
          <h4
            id={headingId}
            className={title ? 'mt-1 font-serif text-lg font-semibold wrap-anywhere' : 'sr-only'}
          >
            {title ?? day}
          </h4>
          <p className="mt-2 leading-7 whitespace-pre-wrap wrap-anywhere">{text}</p>
          <div className="mt-3 -mb-2 -ml-3.5 flex gap-1">
            <Button
              ref={edit}
              variant="quiet"
              size="sm"
              aria-label={m.growth_journal_edit_of({ date: day })}
              onClick={write}
            >
              <Pencil />
              {m.web_edit()}
            </Button>
            <Button
              variant="quiet"
              size="sm"
              aria-label={m.growth_journal_delete_of({ date: day })}
              onClick={() => setAsking(true)}
            >
              <Trash2 />
              {m.web_delete()}
            </Button>
          </div>
        </article>
      )}
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={m.growth_journal_delete_title()}
        description={m.growth_journal_delete_text({ date: day })}
        confirmLabel={m.growth_journal_delete_confirm()}
        onConfirm={() => void remove()}
        busy={busy}
      />
    </Card>
  );
}
