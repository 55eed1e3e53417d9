import { Pencil, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { toast } from '#/web/components/toast.tsx';
import { dateText, mediumDateText, timeText } from '#/web/times.ts';
import type { NoteView } from '../notes/contract.ts';
import { careFailureText } from './care-acts.ts';
import { NoteForm, useNoteForm } from './note-form.tsx';
import { noteSessionText, noteTexts, type NoteKind } from './note-texts.ts';

/** A note to read, edit and delete. `onEdited` reports unsaved edits. */
export function NoteCard({
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
            <time dateTime={writtenAt}>{m.care_notes_written({ date, time })}</time>
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
  note: { id, session, text },
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
  const form = useNoteForm({
    values: { text, appointmentId: session?.id ?? '' },
    save: async (typed) => {
      await api.care[kind].change.call({ noteId: id, text: typed.text });
      toast.done(m.care_notes_saved());
      onChanged();
      onClose();
    },
  });
  const { setFocus, unsaved } = form;
  useEffect(() => setFocus('text'), [setFocus]);
  useEffect(() => {
    onEdited(id, unsaved);
    return () => onEdited(id, false);
  }, [onEdited, id, unsaved]);
  return (
    <div className="mt-3">
      <NoteForm form={form} submitLabel={m.care_notes_keep()} onCancel={onClose} />
    </div>
  );
}
