import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Lock, NotebookPen, Pencil, Trash2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { lockedUntil, PrivateLocked } from '#/web/components/private-locked.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { dateText, mediumDateText, timeText } from '#/web/times.ts';
import type { NoteView } from '../notes/contract.ts';
import { careFailureText, useCare } from './care-acts.ts';
import { notesQuery, sessionsQuery } from './care-queries.ts';
import { NoteForm } from './note-form.tsx';

export interface NoteDraft {
  text: string;
  /** Empty: about the client in general. */
  appointmentId: string;
}

const kinds = {
  notes: {
    heading: m.care_notes_record_heading,
    text: m.care_notes_record_text,
    write: m.care_notes_write_record,
    list: m.care_notes_list_record,
    empty: m.care_notes_empty_record,
    deleteText: m.care_notes_delete_text_record,
    Icon: NotebookPen,
  },
  privateNotes: {
    heading: m.care_notes_private_heading,
    text: m.care_notes_private_text,
    write: m.care_notes_write_private,
    list: m.care_notes_list_private,
    empty: m.care_notes_empty_private,
    deleteText: m.care_notes_delete_text_private,
    Icon: Lock,
  },
} as const;

type Kind = keyof typeof kinds;

/** `onEdited` reports unsaved edits. */
export function NotesPanel({
  kind,
  client,
  timeZone,
  draft,
  onDraft,
  onEdited,
}: {
  kind: Kind;
  client: { id: string; name: string; erased: boolean };
  timeZone: string;
  draft: NoteDraft;
  onDraft: (draft: NoteDraft) => void;
  onEdited: (id: string, isEdited: boolean) => void;
}) {
  const care = useCare();
  const queries = useQueryClient();
  const { toast } = useToast();
  const words = kinds[kind];
  const headingId = useId();
  const listId = useId();
  const list = useInfiniteQuery(notesQuery(care, kind, client.id));
  const locked = lockedUntil(list.error);
  const notes = list.data?.pages.flatMap((one) => one.notes);
  const sessions = [
    ...(useInfiniteQuery(sessionsQuery(care, client.id, 'to_come')).data?.pages ?? []),
    ...(useInfiniteQuery(sessionsQuery(care, client.id, 'past')).data?.pages ?? []),
  ].flatMap((one) => one.sessions);
  const forget = () => void queries.invalidateQueries({ queryKey: care[kind].key() });

  const save = async () => {
    const { text, appointmentId } = draft;
    await care[kind].write.call({
      clientId: client.id,
      text,
      ...(appointmentId === '' ? {} : { appointmentId }),
    });
    onDraft({ text: '', appointmentId: '' });
    toast({ tone: 'success', title: m.care_notes_saved() });
    forget();
  };

  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="text-xl sm:text-2xl">
        {words.heading()}
      </h2>
      <p className="mt-1 mb-6 flex max-w-reading items-start gap-2 text-quiet">
        <words.Icon aria-hidden className="mt-1.5 size-4.5 shrink-0 text-sage" />
        {words.text()}
      </p>
      {locked ? (
        <PrivateLocked until={locked} />
      ) : (
        <div className={client.erased ? undefined : 'grid items-start gap-x-8 gap-y-10 lg:grid-cols-2'}>
          {!client.erased && (
            <Card as="section" aria-label={words.write()} className="lg:sticky lg:top-24">
              <NoteForm
                text={draft.text}
                onText={(text) => onDraft({ ...draft, text })}
                submitLabel={m.care_notes_save()}
                hint={m.care_notes_not_stored()}
                save={save}
              >
                <Field label={m.care_notes_field_about()}>
                  <Select
                    value={draft.appointmentId}
                    onChange={(event) => onDraft({ ...draft, appointmentId: event.target.value })}
                  >
                    <option value="">{m.care_notes_about_client({ name: client.name })}</option>
                    {sessions.map(({ id, startsAt }) => (
                      <option key={id} value={id}>
                        {sessionText(startsAt, timeZone)}
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
            <Fetched query={{ ...list, data: notes }}>
              {(found) =>
                found.length === 0 ? (
                  <p className="rounded-card border border-dashed border-control px-5 py-6 text-quiet">
                    {words.empty()}
                  </p>
                ) : (
                  <>
                    <ul className="grid gap-4">
                      {found.map((note) => (
                        <Note
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
                    <MoreButton query={list} className="mt-6 text-center" />
                  </>
                )
              }
            </Fetched>
          </section>
        </div>
      )}
    </section>
  );
}

function sessionText(startsAt: string, timeZone: string): string {
  return m.care_notes_about_session({
    date: mediumDateText(startsAt, timeZone),
    time: timeText(startsAt, timeZone),
  });
}

function Note({
  kind,
  note: { id, session, text, writtenAt, changedAt },
  timeZone,
  onEdited,
  onChanged,
  onRemoved,
}: {
  kind: Kind;
  note: NoteView;
  timeZone: string;
  onEdited: (id: string, isEdited: boolean) => void;
  onChanged: () => void;
  onRemoved: () => void;
}) {
  const care = useCare();
  const { toast } = useToast();
  const titleId = useId();
  const edit = useRef<HTMLButtonElement>(null);
  const [words, setWords] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const date = dateText(writtenAt, timeZone);
  const time = timeText(writtenAt, timeZone);

  const change = (next: string | null) => {
    setWords(next);
    onEdited(id, next !== null && next !== text);
  };
  const close = () => {
    flushSync(() => change(null));
    edit.current?.focus();
  };
  const save = async () => {
    await care[kind].change.call({ noteId: id, text: words ?? text });
    toast({ tone: 'success', title: m.care_notes_saved() });
    onChanged();
    close();
  };
  const remove = async () => {
    setBusy(true);
    try {
      await care[kind].remove.call({ noteId: id });
      setAsking(false);
      onEdited(id, false);
      onRemoved();
      toast({ tone: 'success', title: m.care_notes_deleted() });
    } catch (error) {
      toast({ tone: 'destructive', title: m.care_failed_title(), description: careFailureText(error) });
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
            <time dateTime={writtenAt}>{m.care_notes_written({ date, time })}</time>
          </h4>
          {session && <Badge tone="primary">{sessionText(session.startsAt, timeZone)}</Badge>}
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
        {words === null ? (
          <>
            <p className="mt-2 leading-7 whitespace-pre-wrap wrap-anywhere">{text}</p>
            <div className="mt-3 -mb-2 -ml-3.5 flex gap-1">
              <Button
                ref={edit}
                variant="quiet"
                size="sm"
                aria-label={m.care_notes_edit_of({ date: `${date}, ${time}` })}
                onClick={() => change(text)}
              >
                <Pencil />
                {m.care_notes_edit()}
              </Button>
              <Button
                variant="quiet"
                size="sm"
                aria-label={m.care_notes_delete_of({ date: `${date}, ${time}` })}
                onClick={() => setAsking(true)}
              >
                <Trash2 />
                {m.care_notes_delete()}
              </Button>
            </div>
          </>
        ) : (
          <div className="mt-3">
            <NoteForm
              text={words}
              onText={change}
              submitLabel={m.care_notes_keep()}
              onCancel={close}
              focused
              save={save}
            />
          </div>
        )}
      </article>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={m.care_notes_delete_title()}
        description={kinds[kind].deleteText({ date })}
        confirmLabel={m.care_notes_delete_confirm()}
        onConfirm={() => void remove()}
        busy={busy}
      />
    </Card>
  );
}
