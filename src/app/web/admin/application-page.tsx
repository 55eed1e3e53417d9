import { useQuery } from '@tanstack/react-query';
import { ApprovalDialog } from '#/features/appointments/ui/approval-dialog.tsx';
import { ApplicationEntry } from '#/features/providers/ui/application-entry.tsx';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { ConsolePage } from './console-page.tsx';

export function ApplicationPage({ id }: { id: string }) {
  useLiveQueries(api.providers.applications.key(), 'providers.applications_changed');
  const query = useQuery(
    api.providers.applications.check.queryOptions({ input: { applicationId: id }, retry: false }),
  );
  return (
    <ConsolePage
      query={query}
      list={{ to: '/admin/settings?tab=providers', name: m.admin_tab_providers() }}
      title={m.applications_one()}
      missing={m.applications_missing()}
    >
      {(application) => (
        <>
          <h1 className="mb-4 text-2xl">{m.applications_one()}</h1>
          <div className="max-w-3xl">
            <ApplicationEntry as="h2" application={application} Approval={ApprovalDialog} />
          </div>
        </>
      )}
    </ConsolePage>
  );
}
