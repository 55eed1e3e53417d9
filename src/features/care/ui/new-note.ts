import { useQueryClient } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { useToast } from '#/web/components/toast.tsx';
import type { Form } from '#/web/form.tsx';
import { useCare } from './care-acts.ts';
import { useNoteForm, type NoteDraft } from './note-form.tsx';
import type { NoteKind } from './note-texts.ts';

const blank: NoteDraft = { text: '', appointmentId: '' };

/** Manages the form for a new note; its owner keeps the draft while the panel is closed or locked. */
export function useNewNote(kind: NoteKind, clientId: string): Form<NoteDraft> {
  const care = useCare();
  const queries = useQueryClient();
  const { toast } = useToast();
  const save = async ({ text, appointmentId }: NoteDraft) => {
    await care[kind].write.call({ clientId, text, ...(appointmentId === '' ? {} : { appointmentId }) });
    form.reset(blank);
    toast({ tone: 'success', title: m.care_notes_saved() });
    void queries.invalidateQueries({ queryKey: care[kind].key() });
  };
  const form = useNoteForm({ values: blank, save });
  return form;
}
