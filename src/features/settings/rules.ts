import type { Role } from '#/kernel/actor.ts';
import type { FlagId } from './contract.ts';

/** What decides whether a flag is on for somebody. */
export interface Flag {
  id: FlagId;
  enabled: boolean;
  scope: 'global' | 'role_based' | 'user_specific';
  roles: readonly string[];
}

/**
 * The flags that are on for a role. A role-based flag says who may offer the feature; a client joins
 * what a provider offers, and a guest sees that it exists, so neither is shut out by the roles.
 */
export function flagsOn(flags: readonly Flag[], role: Role | null): FlagId[] {
  return flags
    .filter((flag) => flag.enabled)
    .filter(
      (flag) =>
        flag.scope !== 'role_based' || role === null || role === 'client' || flag.roles.includes(role),
    )
    .map((flag) => flag.id);
}
