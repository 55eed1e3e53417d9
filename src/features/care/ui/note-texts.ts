import { Lock, NotebookPen } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { mediumDateText, timeText } from '#/web/times.ts';

/** By the API's name of each kind. */
export const noteTexts = {
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

export type NoteKind = keyof typeof noteTexts;

export function noteSessionText(startsAt: string, timeZone: string): string {
  return m.care_notes_about_session({
    date: mediumDateText(startsAt, timeZone),
    time: timeText(startsAt, timeZone),
  });
}
