import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarDays, HandHeart, Lock, NotebookPen } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '#/web/api.tsx';
import type { ClientView } from '#/features/care/clients/contract.ts';
import { useCareNews } from '#/features/care/ui/care-acts.ts';
import { clientQuery } from '#/features/care/ui/care-queries.ts';
import { ClientHead } from '#/features/care/ui/client-head.tsx';
import { type NoteDraft, useNoteForm } from '#/features/care/ui/note-form.tsx';
import type { NoteKind } from '#/features/care/ui/note-texts.ts';
import { NotesPanel } from '#/features/care/ui/notes-panel.tsx';
import { RecordPanel } from '#/features/care/ui/record-panel.tsx';
import { MessageLink } from '#/features/messaging/ui/send-message.tsx';
import { m } from '#/texts/messages.js';
import { Fetched } from '#/web/components/fetched.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { Tabs } from '#/web/components/tabs.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureCode, retryUnanswered } from '#/web/failures.ts';
import type { Form } from '#/web/form.tsx';
import { useOwnZone, ZoneLine } from '#/web/own-zone.tsx';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { WhenHydrated } from '../when-hydrated.tsx';
import { ClientMissing } from './client-missing.tsx';
import { ClientSessions } from './client-sessions.tsx';
import { SharedPanel } from './shared-panel.tsx';

export function ClientScreen({ clientId }: { clientId: string }) {
  const news = useCareNews();
  const timeZone = useOwnZone();
  const query = useQuery({
    ...clientQuery(api.care, clientId),
    // Retries network failures, never refusals.
    retry: retryUnanswered,
  });
  const refused = failureCode(query.error);
  return (
    <DashboardFrame news={news}>
      {refused === 'not_found' || refused === 'invalid' ? (
        <ClientMissing />
      ) : (
        <Fetched
          query={query}
          failure={m.care_client_failed()}
          skeleton={
            <>
              <h1 className="sr-only">{m.care_client_title()}</h1>
              <Skeleton className="h-28" />
              <Skeleton className="mt-6 h-64" />
            </>
          }
        >
          {(client) => (
            <WhenHydrated>
              <ClientHead client={client} timeZone={timeZone}>
                {!client.erased && !client.record && <MessageLink id={client.id} name={client.name} />}
              </ClientHead>
              {client.record && <RecordPanel client={client} record={client.record} timeZone={timeZone} />}
              <ZoneLine timeZone={timeZone} className="mt-4 text-sm text-quiet" />
              <Parts client={client} timeZone={timeZone} />
            </WhenHydrated>
          )}
        </Fetched>
      )}
    </DashboardFrame>
  );
}

const tabs = ['sessions', 'notes', 'private', 'shared'] as const;

function Parts({ client, timeZone }: { client: ClientView; timeZone: string }) {
  const [query, setQuery] = useSearchParams();
  const note = useNewNote('notes', client.id);
  const privateNote = useNewNote('privateNotes', client.id);
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const onEdited = useCallback(
    (id: string, isEdited: boolean) =>
      setEdited((before) => {
        const after = new Set(before);
        if (isEdited) after.add(id);
        else after.delete(id);
        return after;
      }),
    [],
  );
  const show = (id: (typeof tabs)[number]) =>
    setQuery(id === 'sessions' ? {} : { tab: id }, { replace: true, preventScrollReset: true });
  const asked = query.get('tab');
  const value = tabs.find((id) => id === asked) ?? 'sessions';
  const writing = useRef(false);
  const writeAbout = (appointmentId: string) => {
    note.setValue('appointmentId', appointmentId);
    writing.current = true;
    show('notes');
  };
  const about = query.get('about');
  const writeAsked = useEffectEvent(writeAbout);
  useEffect(() => {
    // Home links here to write about a session.
    if (about) writeAsked(about);
  }, [about]);
  useEffect(() => {
    // The URL updates after the button press.
    if (!writing.current || value !== 'notes') return;
    writing.current = false;
    document.querySelector<HTMLElement>('#panel-notes textarea')?.focus();
  }, [value]);
  const unsaved = [note, privateNote].some(({ watch }) => watch('text').trim() !== '') || edited.size > 0;
  const notes = { client, timeZone, onEdited };
  return (
    <div className="mt-6">
      <Tabs
        label={m.care_client_parts()}
        value={value}
        onChange={show}
        tabs={[
          {
            id: 'sessions',
            label: m.care_tab_sessions(),
            icon: <CalendarDays />,
            content: (
              <div className="pt-6 sm:pt-8">
                <ClientSessions
                  clientId={client.id}
                  timeZone={timeZone}
                  {...(client.erased ? {} : { onWrite: writeAbout })}
                />
              </div>
            ),
          },
          {
            id: 'notes',
            label: m.care_tab_notes(),
            icon: <NotebookPen />,
            content: (
              <div className="pt-6 sm:pt-8">
                <NotesPanel kind="notes" form={note} {...notes} />
              </div>
            ),
          },
          {
            id: 'private',
            label: m.care_tab_private(),
            icon: <Lock />,
            content: (
              <div className="pt-6 sm:pt-8">
                <NotesPanel kind="privateNotes" form={privateNote} {...notes} />
              </div>
            ),
          },
          {
            id: 'shared',
            label: m.care_tab_shared(),
            icon: <HandHeart />,
            content: (
              <div className="pt-6 sm:pt-8">
                <SharedPanel client={client} timeZone={timeZone} />
              </div>
            ),
          },
        ]}
      />
      <LeaveGuard unsaved={unsaved} />
    </div>
  );
}

const blank: NoteDraft = { text: '', appointmentId: '' };

/** Manages the form for a new note; its owner keeps the draft while the panel is closed or locked. */
function useNewNote(kind: NoteKind, clientId: string): Form<NoteDraft> {
  const queries = useQueryClient();
  const save = async ({ text, appointmentId }: NoteDraft) => {
    await api.care[kind].write.call({ clientId, text, ...(appointmentId === '' ? {} : { appointmentId }) });
    form.reset(blank);
    toast({ tone: 'success', title: m.care_notes_saved() });
    void queries.invalidateQueries({ queryKey: api.care[kind].key() });
  };
  const form = useNoteForm({ values: blank, save });
  return form;
}
