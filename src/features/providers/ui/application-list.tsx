import { useInfiniteQuery } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { Tabs } from '#/web/components/tabs.tsx';
import type { ApplicationStatus } from '../applications/contract.ts';
import { ApplicationEntry, type ApprovalDialog } from './application-entry.tsx';
import { applicationStatusTexts } from './application-texts.ts';

const page = 10;

const noneTexts: Readonly<Record<ApplicationStatus, () => string>> = {
  pending: m.applications_list_none_pending,
  approved: m.applications_list_none_approved,
  rejected: m.applications_list_none_rejected,
};

function useApplications(status: ApplicationStatus) {
  return useInfiniteQuery(
    api.providers.applications.list.infiniteOptions({
      input: (after: string | undefined) => ({ status, limit: page, ...(after ? { after } : {}) }),
      initialPageParam: undefined,
      getNextPageParam: ({ applications, more }) => (more ? applications.at(-1)?.id : undefined),
    }),
  );
}

export function ApplicationList({
  status,
  onStatus,
  Approval,
}: {
  status: ApplicationStatus;
  onStatus: (status: ApplicationStatus) => void;
  Approval: ApprovalDialog;
}) {
  useLiveQueries(api.providers.applications.key(), 'providers.applications_changed');
  const counts = useApplications(status).data?.pages[0]?.counts;
  return (
    <Tabs
      label={m.applications_statuses()}
      value={status}
      onChange={onStatus}
      tabs={(['pending', 'approved', 'rejected'] as const).map((id) => ({
        id,
        label: counts ? `${applicationStatusTexts[id]()} (${counts[id]})` : applicationStatusTexts[id](),
        content: (
          <div className="pt-4">
            <Listed status={id} Approval={Approval} />
          </div>
        ),
      }))}
    />
  );
}

function Listed({ status, Approval }: { status: ApplicationStatus; Approval: ApprovalDialog }) {
  const query = useApplications(status);
  return (
    <FetchedList
      query={query}
      entries={query.data?.pages.flatMap(({ applications }) => applications)}
      failure={m.applications_list_failed()}
      skeleton={<Skeleton className="h-48" />}
      empty={
        <Card>
          <EmptyState as="h3" illustration={<OliveBranchIllustration />} title={noneTexts[status]()} />
        </Card>
      }
    >
      {(entries) => (
        <ul className="grid gap-3 xl:grid-cols-2 xl:items-start">
          {entries.map((application) => (
            <li key={application.id}>
              <ApplicationEntry application={application} Approval={Approval} />
            </li>
          ))}
        </ul>
      )}
    </FetchedList>
  );
}
