import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { useResourcesWaiting } from '#/features/resources/ui/resources-waiting.ts';
import { ReviewModeration } from '#/features/reviews/ui/moderation.tsx';
import { useReviewNews } from '#/features/reviews/ui/review-news.ts';
import { useReviewsWaiting } from '#/features/reviews/ui/reviews-waiting.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { RealtimeProvider } from '#/web/realtime.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { Tabs, type Tab } from '#/web/components/tabs.tsx';
import type { Route } from './+types/admin-moderation.ts';
import { DashboardFrame, DashboardHeading } from '../dashboards/dashboard-frame.tsx';
import { GuestScreen } from '../guest-screen.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';

const WaitingResources = lazy(async () => ({
  default: (await import('#/features/resources/ui/waiting-resources.tsx')).WaitingResources,
}));

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.moderation_title());
}

/** Where administrators decide what becomes public; everybody else is told what that needs. */
export default function Moderation() {
  const viewer = useViewer();
  return (
    <DashboardFrame>
      {viewer ? (
        <>
          <DashboardHeading title={m.moderation_title()}>{m.moderation_intro()}</DashboardHeading>
          <div className="mt-6">
            <PermissionGate role={viewer.role} capability="moderate_content">
              <DataProvider>
                <RealtimeProvider>
                  <Queues />
                </RealtimeProvider>
              </DataProvider>
            </PermissionGate>
          </div>
        </>
      ) : (
        <GuestScreen title={m.moderation_title()}>{m.moderation_guest_text()}</GuestScreen>
      )}
    </DashboardFrame>
  );
}

type Queue = 'reviews' | 'resources' | 'published' | 'refused';

/** What waits, with how much of it there is, and what was decided. */
function Queues() {
  const [query, setQuery] = useSearchParams();
  useReviewNews();
  const reviews = useReviewsWaiting();
  const resources = useResourcesWaiting();
  const tabs: readonly Tab<Queue>[] = [
    {
      id: 'reviews',
      label: counted(m.moderation_reviews(), reviews),
      content: <Part state="waiting" />,
    },
    {
      id: 'resources',
      label: counted(m.moderation_resources(), resources),
      content: (
        <div className="pt-6 sm:pt-8">
          <Suspense fallback={<Spinner label={m.reviews_loading()} />}>
            <WaitingResources />
          </Suspense>
        </div>
      ),
    },
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
  return count ? m.moderation_count({ name, count }) : name;
}
