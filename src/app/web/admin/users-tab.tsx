import { UsersDesk } from '#/features/accounts/ui/users-desk.tsx';

/** User Management: the directory of users and what can be done with each of them. */
export function UsersTab() {
  return <UsersDesk />;
}
