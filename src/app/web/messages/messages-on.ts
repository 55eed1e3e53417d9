import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';
import type { PublicSite } from '#/features/settings/contract.ts';
import type { Role } from '#/kernel/actor.ts';

/** Whether messages are there at all. */
export function messagingIsOn({ flags }: PublicSite): boolean {
  return flags.includes('direct_messaging');
}

/** Whether somebody of that role has conversations: clients and those who care for them. */
function hasConversations(role: Role | undefined): boolean {
  return role !== undefined && role !== 'super_admin';
}

/** Whether who is signed in has conversations now. */
export function useHasMessages(): boolean {
  const site = useSite();
  const viewer = useViewer();
  return messagingIsOn(site) && hasConversations(viewer?.role);
}
