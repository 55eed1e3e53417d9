import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Link, useNavigate, useParams } from 'react-router';
import { can } from '#/features/access/rules.ts';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { AuthoredList, editorPath } from '#/features/resources/ui/authored-list.tsx';
import { DraftEditor } from '#/features/resources/ui/draft-editor.tsx';
import { m } from '#/texts/messages.js';
import { api, LiveDataProvider } from '#/web/api.tsx';
import { ButtonLink } from '#/web/components/button.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { DashboardFrame, DashboardHeading } from '../dashboard-frame.tsx';
import { GuestPage } from '../guest-screen.tsx';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { unlisted } from '../page-meta.ts';

export const meta = unlisted(m.resources_author_title);

export default function Author() {
  const viewer = useViewer();
  const { resourceId } = useParams();
  if (!viewer) return <GuestPage title={m.resources_author_title()}>{m.practice_guest_text()}</GuestPage>;
  return (
    <DashboardFrame>
      {!can(viewer.role, 'create_content') && <h1 className="sr-only">{m.resources_author_title()}</h1>}
      <PermissionGate role={viewer.role} capability="create_content">
        <LiveDataProvider>
          {resourceId ? <Editor key={resourceId} id={resourceId} viewer={viewer} /> : <Own viewer={viewer} />}
        </LiveDataProvider>
      </PermissionGate>
    </DashboardFrame>
  );
}

function Own({ viewer }: { viewer: Viewer }) {
  const decides = can(viewer.role, 'moderate_content');
  return (
    <>
      <DashboardHeading
        title={m.resources_author_title()}
        action={
          <ButtonLink to={editorPath('new')}>
            <Plus />
            {m.resources_author_new()}
          </ButtonLink>
        }
      >
        {decides ? m.resources_author_intro_decides() : m.resources_author_intro()}
      </DashboardHeading>
      <div className="mt-8">
        <AuthoredList />
      </div>
    </>
  );
}

function Editor({ id, viewer }: { id: string; viewer: Viewer }) {
  const navigate = useNavigate();
  const fresh = id === 'new';
  const draft = useQuery({
    ...api.resources.authoredOne.queryOptions({ input: { resourceId: id } }),
    enabled: !fresh,
    // Refetching would overwrite unsaved input.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const form = (stored: Parameters<typeof DraftEditor>[0]['draft']) => (
    <DraftEditor
      draft={stored}
      name={viewer.fullName}
      decides={can(viewer.role, 'moderate_content')}
      // Adds the draft id for reloads without remounting.
      onSaved={(saved) => window.history.replaceState(window.history.state, '', editorPath(saved))}
      onSent={() => void navigate('/author')}
    />
  );
  return (
    <>
      <Link to="/author" className="inline-flex min-h-11 items-center text-primary hover:underline">
        ← {m.resources_author_title()}
      </Link>
      <h1 className="mt-2 mb-8 text-2xl sm:text-3xl">
        {fresh ? m.resources_author_new() : m.resources_edit_title()}
      </h1>
      {fresh ? (
        <WhenHydrated>{form(null)}</WhenHydrated>
      ) : (
        <Fetched query={draft} failure={m.resources_load_failed()} skeleton={<Skeleton className="h-96" />}>
          {form}
        </Fetched>
      )}
    </>
  );
}
