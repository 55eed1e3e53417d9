import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { useWords, WordsLock } from '#/features/accounts/ui/words-lock.tsx';
import { lockedUntil, PrivateLocked } from '#/web/components/private-locked.tsx';
import { failureReason } from '#/web/failures.ts';
import type { Form } from '#/web/form.tsx';
import { notesQuery, sessionsQuery } from './care-queries.ts';
import { NoteCard } from './note-card.tsx';
import { NoteForm, type NoteDraft } from './note-form.tsx';
import { noteSessionText, noteTexts, type NoteKind } from './note-texts.ts';

/** `onEdited` reports unsaved edits. */
export function NotesPanel({
  kind,
  client,
  timeZone,
  form,
  onEdited,
}: {
  kind: NoteKind;
  client: { id: string; name: string; erased: boolean };
  timeZone: string;
  /** From `useNewNote`. */
  form: Form<NoteDraft>;
  onEdited: (id: string, isEdited: boolean) => void;
}) {
  const queries = useQueryClient();
  const words = noteTexts[kind];
  const about = form.choice('appointmentId');
  const headingId = useId();
  const listId = useId();
  const list = useInfiniteQuery(notesQuery(api.care, kind, client.id));
  const locked = lockedUntil(list.error);
  const notes = list.data?.pages.flatMap((one) => one.notes);
  const state = useWords()?.state;
  const closed = state === 'locked' || failureReason(list.error) === 'words_locked';
  const unkeyed = kind === 'privateNotes' && state === 'unkeyed';
  // Text that was being written stays in sight.
  const hidden = kind === 'privateNotes' && closed && !notes && !form.unsaved;
  const sessions = [
    ...(useInfiniteQuery(sessionsQuery(api.care, client.id, 'to_come')).data?.pages ?? []),
    ...(useInfiniteQuery(sessionsQuery(api.care, client.id, 'past')).data?.pages ?? []),
  ].flatMap((one) => one.sessions);
  const forget = () => void queries.invalidateQueries({ queryKey: api.care[kind].key() });

  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="text-xl sm:text-2xl">
        {words.heading()}
      </h2>
      <p className="mt-1 mb-6 flex max-w-reading items-start gap-2 text-quiet">
        <words.Icon aria-hidden className="mt-1.5 size-4.5 shrink-0 text-sage" />
        {unkeyed ? m.care_notes_private_unkeyed() : words.text()}
      </p>
      {locked ? (
        <PrivateLocked until={locked} />
      ) : (
        <>
          {kind === 'privateNotes' && <WordsLock what="notes" className="mb-8" />}
          <div
            hidden={hidden}
            className={client.erased ? undefined : 'grid items-start gap-x-8 gap-y-10 lg:grid-cols-2'}
          >
            {!client.erased && (
              <Card
                as="section"
                aria-label={words.write()}
                hidden={unkeyed && !form.unsaved}
                className="lg:sticky lg:top-24"
              >
                <NoteForm form={form} submitLabel={m.care_notes_save()} hint={m.care_notes_not_stored()}>
                  <Field label={m.care_notes_field_about()}>
                    <Select value={about.value} onChange={(event) => about.onChange(event.target.value)}>
                      <option value="">{m.care_notes_about_client({ name: client.name })}</option>
                      {sessions.map(({ id, startsAt }) => (
                        <option key={id} value={id}>
                          {noteSessionText(startsAt, timeZone)}
                        </option>
                      ))}
                    </Select>
                  </Field>
                </NoteForm>
              </Card>
            )}
            <section aria-labelledby={listId} className="min-w-0">
              <h3 id={listId} tabIndex={-1} className="mb-4 rounded-control text-xl">
                {words.list()}
              </h3>
              <FetchedList
                query={list}
                entries={notes}
                empty={
                  <p className="rounded-card border border-dashed border-control px-5 py-6 text-quiet">
                    {words.empty()}
                  </p>
                }
                moreClassName="mt-6 text-center"
              >
                {(found) => (
                  <ul className="grid gap-4">
                    {found.map((note) => (
                      <NoteCard
                        key={note.id}
                        kind={kind}
                        note={note}
                        timeZone={timeZone}
                        onEdited={onEdited}
                        onChanged={forget}
                        onRemoved={() => document.getElementById(listId)?.focus({ preventScroll: true })}
                      />
                    ))}
                  </ul>
                )}
              </FetchedList>
            </section>
          </div>
        </>
      )}
    </section>
  );
}
