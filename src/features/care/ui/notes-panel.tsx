import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useEffect, useRef, useState } from 'react';
import { Pencil, Trash2 } from 'lucide-react';
import { flushSync } from 'react-dom';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { ChangedElsewhere } from '#/web/components/changed-elsewhere.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { useWords, WordsLock } from '#/features/accounts/ui/words-lock.tsx';
import { WordsProtectionLink } from '#/features/accounts/ui/words-protection-link.tsx';
import { lockedUntil, PrivateLocked } from '#/web/components/private-locked.tsx';
import { failureReason } from '#/web/failures.ts';
import type { Form } from '#/web/form.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useEditedVersion } from '#/web/edited-version.ts';
import { dateText, mediumDateText, timeText } from '#/web/times.ts';
import { notesQuery, sessionsQuery, careFailureText } from './care-queries.ts';
import { NoteForm, type NoteDraft, useNoteForm } from './note-form.tsx';
import { noteSessionText, noteTexts, type NoteKind } from './note-texts.ts';
import type { NoteView } from '../notes/contract.ts';

/** `onEdited` reports unsaved edits. */
export function NotesPanel({
  kind,
  client,
  timeZone,
  form,
  onEdited,
  onShown,
}: {
  kind: NoteKind;
  client: { id: string; name: string; erased: boolean };
  timeZone: string;
  /** From `useNewNote`. */
  form: Form<NoteDraft>;
  onEdited: (id: string, isEdited: boolean) => void;
  onShown?: () => void;
}) {
  const queries = useQueryClient();
  useEffect(() => onShown?.(), [onShown]);
  const words = noteTexts[kind];
  const about = form.choice('appointmentId');
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
    <Section title={words.heading()} titleClassName="text-xl sm:text-2xl">
      <p className="mt-1 mb-6 flex max-w-reading items-start gap-2 text-quiet">
        <words.Icon aria-hidden className="mt-1.5 size-4.5 shrink-0 text-sage" />
        <span>
          {unkeyed ? m.care_notes_private_unkeyed() : words.text()}{' '}
          {kind === 'privateNotes' && state === 'open' && <WordsProtectionLink />}
        </span>
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
                <NoteForm form={form} submitLabel={m.web_save_note()} hint={m.care_notes_not_stored()}>
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
    </Section>
  );
}

/** A note to read, edit and delete. `onEdited` reports unsaved edits. */
function NoteCard({
  kind,
  note,
  timeZone,
  onEdited,
  onChanged,
  onRemoved,
}: {
  kind: NoteKind;
  note: NoteView;
  timeZone: string;
  onEdited: (id: string, isEdited: boolean) => void;
  onChanged: () => void;
  onRemoved: () => void;
}) {
  const { id, session, text, writtenAt, changedAt } = note;
  const titleId = useId();
  const edit = useRef<HTMLButtonElement>(null);
  const [editing, setEditing] = useState(false);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const date = dateText(writtenAt, timeZone);
  const time = timeText(writtenAt, timeZone);

  const close = () => {
    flushSync(() => setEditing(false));
    edit.current?.focus();
  };
  const remove = async () => {
    setBusy(true);
    try {
      await api.care[kind].remove.call({ noteId: id });
      setAsking(false);
      onRemoved();
      toast.done(m.care_notes_deleted());
    } catch (error) {
      toast.failed(m.web_did_not_work(), careFailureText(error));
    } finally {
      setBusy(false);
      onChanged();
    }
  };

  return (
    <Card as="li" className="list-none">
      <article aria-labelledby={titleId}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h4 id={titleId} className="text-base font-semibold">
            <time dateTime={writtenAt}>{m.web_date_time({ date, time })}</time>
          </h4>
          {session && <Badge tone="primary">{noteSessionText(session.startsAt, timeZone)}</Badge>}
        </div>
        {changedAt && (
          <p className="text-sm text-quiet">
            <time dateTime={changedAt}>
              {m.care_notes_changed({
                date: mediumDateText(changedAt, timeZone),
                time: timeText(changedAt, timeZone),
              })}
            </time>
          </p>
        )}
        {editing ? (
          <NoteEditor kind={kind} note={note} onEdited={onEdited} onChanged={onChanged} onClose={close} />
        ) : (
          <>
            <p className="mt-2 leading-7 whitespace-pre-wrap wrap-anywhere">{text}</p>
            <div className="mt-3 -mb-2 -ml-3.5 flex gap-1">
              <Button
                ref={edit}
                variant="quiet"
                size="sm"
                aria-label={m.care_notes_edit_of({ date: `${date}, ${time}` })}
                onClick={() => setEditing(true)}
              >
                <Pencil />
                {m.web_edit()}
              </Button>
              <Button
                variant="quiet"
                size="sm"
                aria-label={m.care_notes_delete_of({ date: `${date}, ${time}` })}
                onClick={() => setAsking(true)}
              >
                <Trash2 />
                {m.web_delete()}
              </Button>
            </div>
          </>
        )}
      </article>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={m.care_notes_delete_title()}
        description={noteTexts[kind].deleteText({ date })}
        confirmLabel={m.care_notes_delete_confirm()}
        onConfirm={() => void remove()}
        busy={busy}
      />
    </Card>
  );
}

function NoteEditor({
  kind,
  note: { id, session, text, version },
  onEdited,
  onChanged,
  onClose,
}: {
  kind: NoteKind;
  note: NoteView;
  onEdited: (id: string, isEdited: boolean) => void;
  onChanged: () => void;
  onClose: () => void;
}) {
  const values = { text, appointmentId: session?.id ?? '' };
  const edited = useEditedVersion(version, values);
  const save = async (typed: NoteDraft, base: number) => {
    edited.sending(typed);
    try {
      const stored = await api.care[kind].change.call({ noteId: id, version: base, text: typed.text });
      toast.done(m.web_note_saved());
      edited.follow(stored.version);
      if (!form.takeSaved({ ...values, text: stored.text })) onClose();
    } finally {
      onChanged();
    }
  };
  const form = useNoteForm({ values, save: (typed) => save(typed, edited.base) });
  const overwrite = () => {
    edited.follow(version);
    void form.submit((typed) => save(typed, version));
  };
  const load = () => {
    edited.follow(version);
    form.reset(values);
    form.props.ref.current?.querySelector('textarea')?.focus();
  };
  const { setFocus, unsaved } = form;
  useEffect(() => setFocus('text'), [setFocus]);
  useEffect(() => {
    onEdited(id, unsaved);
    return () => onEdited(id, false);
  }, [onEdited, id, unsaved]);
  return (
    <div className="mt-3">
      <NoteForm
        form={form}
        submitLabel={m.web_save_changes()}
        onCancel={onClose}
        notice={
          edited.isOutdated && !form.busy ? (
            <ChangedElsewhere onOverwrite={overwrite} onLoad={load} />
          ) : undefined
        }
      />
    </div>
  );
}
