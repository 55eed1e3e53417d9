import { useQuery, useQueryClient } from '@tanstack/react-query';
import { can } from '#/features/access/rules.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { UserActions } from '#/features/accounts/ui/users-actions.tsx';
import { UserFacts, UserHead } from '#/features/accounts/ui/users-facts.tsx';
import { UserTokens } from '#/features/accounts/ui/users-tokens.tsx';
import { ApprovalDialog } from '#/features/appointments/ui/approval-dialog.tsx';
import { HandoverSessions } from '#/features/appointments/ui/handover-sessions.tsx';
import { PersonAppointments } from '#/features/appointments/ui/person-appointments.tsx';
import { Trail } from '#/features/audit/ui/trail.tsx';
import { ProviderStatus } from '#/features/providers/ui/provider-status.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import { ConsoleColumns, ConsolePage } from './console-page.tsx';

const changes: readonly string[] = [
  'directory.changed',
  'providers.applications_changed',
  'providers.credentials_changed',
  'providers.listing_changed',
  'missed',
];

export function PersonPage({ id, siteZone }: { id: string; siteZone: string }) {
  const queries = useQueryClient();
  const role = useViewer()?.role ?? null;
  const query = useQuery(api.directory.open.queryOptions({ input: { userId: id }, retry: false }));
  const refresh = () => {
    for (const queryKey of [
      api.directory.open.key(),
      api.providers.status.key(),
      api.appointments.oversight.key(),
      api.audit.list.key(),
    ])
      void queries.invalidateQueries({ queryKey });
  };
  useRealtime(({ type }) => {
    if (changes.includes(type)) refresh();
  });
  return (
    <ConsolePage
      query={query}
      list={{ to: '/admin/settings?tab=users', name: m.admin_tab_users() }}
      title={m.person_title()}
      missing={m.person_missing()}
    >
      {(user) => (
        <>
          <UserHead user={user}>
            <UserActions user={user} Approval={ApprovalDialog} Sessions={HandoverSessions} onDone={refresh} />
          </UserHead>
          <ConsoleColumns
            main={
              can(role, 'manage_appointments') && <PersonAppointments personId={id} siteZone={siteZone} />
            }
            aside={
              <>
                <UserFacts user={user} />
                <UserTokens user={user} onDone={refresh} />
                {can(role, 'manage_providers') && <ProviderStatus personId={id} />}
              </>
            }
            rest={can(role, 'view_all_data') && <Trail title={m.person_trail()} about={[id]} />}
          />
        </>
      )}
    </ConsolePage>
  );
}
