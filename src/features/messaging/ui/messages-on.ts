import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';
import type { PublicSite } from '#/features/settings/contract.ts';
import type { Role } from '#/kernel/actor.ts';

export function messagingIsOn({ flags }: PublicSite): boolean {
  return flags.includes('direct_messaging');
}

function hasConversations(role: Role | undefined): boolean {
  return role !== undefined && role !== 'super_admin';
}

export function useHasMessages(): boolean {
  const site = useSite();
  const viewer = useViewer();
  return messagingIsOn(site) && hasConversations(viewer?.role);
}
