import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { UsersDesk } from '#/features/accounts/ui/users-desk.tsx';
import { ApprovalDialog } from '#/features/appointments/ui/approval-dialog.tsx';
import { HandoverSessions } from '#/features/appointments/ui/handover-sessions.tsx';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Spinner } from '#/web/components/spinner.tsx';

export function UsersTab() {
  // Set by the search, which knows a person's id.
  const state = useLocation().state as { personId?: string } | null;
  const id = state?.personId;
  const { names } = useApi();
  const sought = useQuery({
    ...names.of.queryOptions({ input: { ids: id ? [id] : [] } }),
    enabled: Boolean(id),
  });
  if (id && sought.isPending) return <Spinner label={m.users_loading()} className="py-16" />;
  const email = (id && sought.data?.[0]?.email) || '';
  return <UsersDesk key={email} sought={email} Approval={ApprovalDialog} Sessions={HandoverSessions} />;
}
