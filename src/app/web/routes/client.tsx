import { data, useSearchParams } from 'react-router';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarDays, HandHeart, Lock, NotebookPen } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { can } from '#/features/access/rules.ts';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { clientQuery, notesQuery, sessionsQuery, useCareNews } from '#/features/care/ui/care-queries.ts';
import { m } from '#/texts/messages.js';
import { LiveDataProvider, api } from '#/web/api.tsx';
import type { ClientView } from '#/features/care/clients/contract.ts';
import { ClientHead } from '#/features/care/ui/client-head.tsx';
import { type NoteDraft, useNoteForm } from '#/features/care/ui/note-form.tsx';
import type { NoteKind } from '#/features/care/ui/note-texts.ts';
import { RecordPanel } from '#/features/care/ui/record-panel.tsx';
import { MessageLink } from '#/features/messaging/ui/send-message.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { Tabs } from '#/web/components/tabs.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureCode } from '#/web/failures.ts';
import type { Form } from '#/web/form.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { useOwnZone, ZoneLine } from '#/web/own-zone.tsx';
import { newKey } from '#/web/request-key.ts';
import { ClientMissing } from '../care/client-missing.tsx';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { GuestPage } from '../guest-screen.tsx';
import { prefetchFor } from '../prefetch.ts';
import { isMissing } from '../load-errors.ts';
import { unlisted } from '../page-meta.ts';
import { unlessSearchChanged } from '../revalidation.ts';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { ClientSessions } from '../care/client-sessions.tsx';
import type { Route } from './+types/client.ts';

const loading = () => <Spinner label={m.web_loading()} className="py-16" />;

const NotesPanel = lazyPart(
  async () => (await import('#/features/care/ui/notes-panel.tsx')).NotesPanel,
  loading,
);
const SharedPanel = lazyPart(async () => (await import('../care/shared-panel.tsx')).SharedPanel, loading);

export async function loader({ context, params: { clientId }, request }: Route.LoaderArgs) {
  const page = context.get(pageRequest);
  const viewer = await page.api.accounts.me();
  if (!viewer || !can(viewer.role, 'view_own_clients')) return { known: null, missing: false };
  const tab = new URL(request.url).searchParams.get('tab');
  let missing = false;
  const found = await prefetchFor(page, (queries, { care, words }) => [
    ...(tab === 'private' ? [queries.query(words.get.queryOptions())] : []),
    // Only the provider's own clients trigger further queries.
    queries.query(clientQuery(care, clientId)).then(
      () =>
        Promise.allSettled(
          tab === 'notes' || tab === 'private'
            ? [queries.infiniteQuery(notesQuery(care, tab === 'notes' ? 'notes' : 'privateNotes', clientId))]
            : (['to_come', 'past'] as const).map((part) =>
                queries.infiniteQuery(sessionsQuery(care, clientId, part)),
              ),
        ),
      (error: unknown) => {
        missing = isMissing(error);
      },
    ),
  ]);
  return data({ known: found?.known ?? null, missing }, { status: missing ? 404 : 200 });
}

export const shouldRevalidate = unlessSearchChanged;

/** Client names stay out of titles, which appear in browser history and shared screens. */
export const meta = unlisted(m.care_client_title);

export default function Client({
  loaderData: { known, missing },
  params: { clientId },
}: Route.ComponentProps) {
  const viewer = useViewer();
  if (!viewer) return <GuestPage title={m.care_client_title()}>{m.care_clients_guest()}</GuestPage>;
  if (!can(viewer.role, 'view_own_clients')) {
    return (
      <DashboardFrame>
        <h1 className="sr-only">{m.care_client_title()}</h1>
        <PermissionGate role={viewer.role} capability="view_own_clients">
          {null}
        </PermissionGate>
      </DashboardFrame>
    );
  }
  if (missing) {
    return (
      <DashboardFrame>
        <ClientMissing />
      </DashboardFrame>
    );
  }
  return (
    <LiveDataProvider known={known}>
      <ClientScreen key={`${viewer.id} ${clientId}`} clientId={clientId} />
    </LiveDataProvider>
  );
}

function ClientScreen({ clientId }: { clientId: string }) {
  const news = useCareNews();
  const timeZone = useOwnZone();
  const query = useQuery({
    ...clientQuery(api.care, clientId),
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
  const startWriting = useCallback(() => {
    const field = writing.current && document.querySelector<HTMLElement>('#panel-notes textarea');
    if (!field) return;
    writing.current = false;
    field.focus();
  }, []);
  // The URL updates after the button press.
  useEffect(startWriting, [startWriting, value]);
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
                <NotesPanel kind="notes" form={note} onShown={startWriting} {...notes} />
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
  const [noteId, setNoteId] = useState(newKey);
  const save = async ({ text, appointmentId }: NoteDraft) => {
    const about = appointmentId === '' ? {} : { appointmentId };
    await api.care[kind].write.call({ noteId, clientId, text, ...about });
    setNoteId(newKey());
    form.takeSaved(blank);
    toast({ tone: 'success', title: m.web_note_saved() });
    void queries.invalidateQueries({ queryKey: api.care[kind].key() });
  };
  const form = useNoteForm({ values: blank, save });
  return form;
}
