import { data } from 'react-router';
import { can } from '#/features/access/rules.ts';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { clientQuery, notesQuery, sessionsQuery } from '#/features/care/ui/care-queries.ts';
import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { ClientMissing } from '../care/client-missing.tsx';
import { ClientScreen } from '../care/client-screen.tsx';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { GuestScreen } from '../guest-screen.tsx';
import { prefetchFor } from '../prefetch.ts';
import { isMissing } from '../load-errors.ts';
import { unlisted } from '../page-meta.ts';
import { unlessSearchChanged } from '../revalidation.ts';
import type { Route } from './+types/client.ts';

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
  if (!viewer) {
    return (
      <DashboardFrame>
        <GuestScreen title={m.care_client_title()} ask>
          {m.care_clients_guest()}
        </GuestScreen>
      </DashboardFrame>
    );
  }
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
