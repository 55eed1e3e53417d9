import { useQueryClient } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { useWords, WordsLock } from '#/features/accounts/ui/words-lock.tsx';
import { WordsProtectionLink } from '#/features/accounts/ui/words-protection-link.tsx';
import { lockedUntil, PrivateLocked } from '#/web/components/private-locked.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason } from '#/web/failures.ts';
import { newKey } from '#/web/request-key.ts';
import { EntryForm, inputOf, type EntryDraft } from './entry-form.tsx';
import { JournalEntries, useJournal } from './journal-entries.tsx';
import { PanelHeading } from './panel-heading.tsx';

function blankDraft(today: string): EntryDraft {
  return { title: '', text: '', mood: 'none', date: today };
}

/** `onUnsaved` reports unsaved text. */
export function JournalPanel({
  today,
  onUnsaved,
}: {
  /** In the person's time zone. */
  today: string;
  onUnsaved: (unsaved: boolean) => void;
}) {
  const queries = useQueryClient();
  const [writing, setWriting] = useState(false);
  const [begun, setBegun] = useState(today);
  if (!writing && begun !== today) setBegun(today);
  const [entryId, setEntryId] = useState(newKey);
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const unsaved = writing || edited.size > 0;
  useEffect(() => onUnsaved(unsaved), [onUnsaved, unsaved]);

  const journal = useJournal();
  const { list, entries } = journal;
  const locked = lockedUntil(list.error);
  // Text that was being written stays in sight.
  const state = useWords()?.state;
  const wordsLocked = state === 'locked' || failureReason(list.error) === 'words_locked';
  const hidden = wordsLocked && !entries && !unsaved;

  const save = async (draft: EntryDraft) => {
    await api.growth.journal.write.call({ entryId, ...inputOf(draft) });
    setEntryId(newKey());
    toast.done(m.growth_journal_saved());
    void queries.invalidateQueries({ queryKey: api.growth.key() });
    return { draft: blankDraft(begun), version: 0 };
  };
  const mark = useCallback((id: string, isEdited: boolean) => {
    setEdited((before) => {
      const after = new Set(before);
      if (isEdited) after.add(id);
      else after.delete(id);
      return after;
    });
  }, []);

  return (
    <section aria-labelledby="journal">
      <PanelHeading id="journal" title={m.growth_journal_heading()}>
        <span className="inline-flex items-start gap-2">
          <Lock aria-hidden className="mt-1.5 size-4.5 shrink-0 text-sage" />
          <span>
            {state === 'unkeyed' ? m.growth_journal_unkeyed() : m.growth_journal_text()}{' '}
            {state === 'open' && <WordsProtectionLink />}
          </span>
        </span>
      </PanelHeading>
      {locked ? (
        <PrivateLocked until={locked} />
      ) : (
        <>
          <WordsLock what="journal" className="mb-8" />
          <div hidden={hidden} className="grid items-start gap-x-8 gap-y-10 lg:grid-cols-2">
            <Card
              as="section"
              aria-label={m.growth_journal_write_heading()}
              hidden={state === 'unkeyed' && !unsaved}
              className="lg:sticky lg:top-24"
            >
              <EntryForm
                draft={blankDraft(begun)}
                onUnsaved={setWriting}
                today={today}
                submitLabel={m.growth_journal_save()}
                note={m.growth_journal_unsaved()}
                save={save}
              />
            </Card>
            <JournalEntries journal={journal} today={today} onEdited={mark} />
          </div>
        </>
      )}
    </section>
  );
}
