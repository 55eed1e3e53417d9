import { UsersDesk } from '#/features/accounts/ui/users-desk.tsx';
import { ApprovalDialog } from '#/features/booking/ui/approval-dialog.tsx';
import { HandoverSessions } from '#/features/booking/ui/handover-sessions.tsx';

export function UsersTab() {
  return <UsersDesk Approval={ApprovalDialog} Sessions={HandoverSessions} />;
}
