import { useSearchParams } from 'react-router';
import { ApprovalDialog } from '#/features/appointments/ui/approval-dialog.tsx';
import { ApplicationList } from '#/features/providers/ui/application-list.tsx';
import { EndingLicenses } from '#/features/providers/ui/application-licenses.tsx';
import { WaitingCredentials } from '#/features/providers/ui/waiting-credentials.tsx';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';

const statuses = ['pending', 'approved', 'rejected'] as const;

export function ProvidersTab() {
  const [query, setQuery] = useSearchParams();
  const asked = query.get('status');
  return (
    <>
      <PartHeading
        title={m.admin_tab_providers()}
        action={
          <ButtonLink to="/admin/add-provider" variant="secondary" size="sm">
            {m.applications_add_title()}
          </ButtonLink>
        }
      >
        {m.applications_list_text()}
      </PartHeading>
      <ApplicationList
        Approval={ApprovalDialog}
        status={statuses.find((one) => one === asked) ?? 'pending'}
        onStatus={(status) =>
          setQuery(
            { tab: 'providers', ...(status === 'pending' ? {} : { status }) },
            { replace: true, preventScrollReset: true },
          )
        }
      />
      <EndingLicenses />
      <div className="mt-10">
        <WaitingCredentials />
      </div>
    </>
  );
}
