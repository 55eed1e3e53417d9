import { useSearchParams } from 'react-router';
import { can } from '#/features/access/rules.ts';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { useCredentialsWaiting } from '#/features/providers/ui/credentials-waiting.ts';
import { useResourcesWaiting } from '#/features/resources/ui/resources-waiting.ts';
import { ReviewModeration } from '#/features/reviews/ui/moderation.tsx';
import { ReplyModeration, useRepliesWaiting } from '#/features/reviews/ui/reply-moderation.tsx';
import { useReviewNews, useReviewsWaiting } from '#/features/reviews/ui/review-queries.ts';
import type { Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { Tabs, type Tab } from '#/web/components/tabs.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AdminFrame } from '../admin/admin-frame.tsx';
import { DashboardFrame, DashboardHeading } from '../dashboard-frame.tsx';
import { GuestScreen } from '../guest-screen.tsx';
import { unlisted } from '../page-meta.ts';

const WaitingResources = lazyPart(
  async () => (await import('#/features/resources/ui/waiting-resources.tsx')).WaitingResources,
  () => <Spinner label={m.web_loading()} />,
);

const WaitingCredentials = lazyPart(
  async () => (await import('#/features/providers/ui/waiting-credentials.tsx')).WaitingCredentials,
  () => <Spinner label={m.web_loading()} />,
);

export const meta = unlisted(m.moderation_title);

export default function Moderation() {
  const viewer = useViewer();
  const Frame = can(viewer?.role ?? null, 'access_admin_panel') ? AdminFrame : DashboardFrame;
  return (
    <Frame>
      {viewer ? (
        <>
          <DashboardHeading title={m.moderation_title()} />
          <div className="mt-6">
            <PermissionGate role={viewer.role} capability="moderate_content">
              <LiveDataProvider>
                <Queues role={viewer.role} />
              </LiveDataProvider>
            </PermissionGate>
          </div>
        </>
      ) : (
        <GuestScreen title={m.moderation_title()}>{m.moderation_guest_text()}</GuestScreen>
      )}
    </Frame>
  );
}

type Queue = 'reviews' | 'replies' | 'resources' | 'credentials' | 'published' | 'refused';

function Queues({ role }: { role: Role }) {
  const [query, setQuery] = useSearchParams();
  useReviewNews();
  const reviews = useReviewsWaiting();
  const replies = useRepliesWaiting();
  const resources = useResourcesWaiting();
  const approves = can(role, 'manage_providers');
  const credentials = useCredentialsWaiting(approves);
  const tabs: readonly Tab<Queue>[] = [
    {
      id: 'reviews',
      label: counted(m.moderation_reviews(), reviews),
      content: <Part state="waiting" />,
    },
    {
      id: 'replies',
      label: counted(m.replies_moderation(), replies),
      content: (
        <div className="pt-6 sm:pt-8">
          <ReplyModeration />
        </div>
      ),
    },
    {
      id: 'resources',
      label: counted(m.moderation_resources(), resources),
      content: (
        <div className="pt-6 sm:pt-8">
          <WaitingResources />
        </div>
      ),
    },
    ...(approves
      ? [
          {
            id: 'credentials' as const,
            label: counted(m.moderation_credentials(), credentials),
            content: (
              <div className="pt-6 sm:pt-8">
                <WaitingCredentials />
              </div>
            ),
          },
        ]
      : []),
    { id: 'published', label: m.moderation_published(), content: <Part state="approved" /> },
    { id: 'refused', label: m.moderation_refused(), content: <Part state="rejected" /> },
  ];
  const asked = query.get('tab');
  return (
    <Tabs
      label={m.moderation_title()}
      tabs={tabs}
      value={tabs.find(({ id }) => id === asked)?.id ?? 'reviews'}
      onChange={(id) =>
        setQuery(id === 'reviews' ? {} : { tab: id }, { replace: true, preventScrollReset: true })
      }
    />
  );
}

function Part({ state }: Parameters<typeof ReviewModeration>[0]) {
  return (
    <div className="pt-6 sm:pt-8">
      <ReviewModeration state={state} />
    </div>
  );
}

function counted(name: string, count: number | undefined): string {
  return count ? m.web_name_count({ name, count }) : name;
}
