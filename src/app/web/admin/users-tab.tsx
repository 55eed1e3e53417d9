import { UsersDesk } from '#/features/accounts/ui/users-desk.tsx';
import { ApprovalDialog } from '#/features/appointments/ui/approval-dialog.tsx';
import { HandoverSessions } from '#/features/appointments/ui/handover-sessions.tsx';

export function UsersTab() {
  return <UsersDesk Approval={ApprovalDialog} Sessions={HandoverSessions} />;
}
