import type { Role } from '#/kernel/actor.ts';
import type { BulkAction, FlagCategory, FlagId, FlagScope, FlagView } from './contract.ts';

export interface Flag {
  id: FlagId;
  enabled: boolean;
  scope: FlagScope;
  roles: readonly Role[];
  /** Listed by name in a `user_specific` scope. */
  chosen: boolean;
}

/**
 * Features that providers offer and clients join; their scope names only providers. The provider decides for each
 * session and conversation, so everyone else always has the feature, and administrators see the same directory as
 * clients.
 */
const offered: readonly FlagId[] = ['video_sessions', 'group_sessions', 'direct_messaging'];

export function isOffered(flag: FlagId): boolean {
  return offered.includes(flag);
}

/** How people sign in; changing it needs a fresh sign-in. */
export const signInFlags: readonly FlagId[] = ['two_factor_authentication', 'mobile_app_access'];

/** Flags on for a role, or guests (null). */
export function flagsOn(flags: readonly Flag[], role: Role | null): FlagId[] {
  return flags.filter((flag) => flag.enabled && isWithin(flag, role)).map(({ id }) => id);
}

function isWithin({ id, scope, roles, chosen }: Flag, role: Role | null): boolean {
  if (scope === 'global') return true;
  if (isOffered(id) && role !== 'doctor' && role !== 'pastor') return true;
  // Guests have no role to exclude.
  return scope === 'role_based' ? role === null || roles.includes(role) : chosen;
}

export function rolesFor(flag: FlagId): readonly Role[] {
  if (isOffered(flag) || flag === 'calendar_integration') return ['doctor', 'pastor'];
  if (flag === 'wellness_tracking') return ['client', 'doctor', 'pastor'];
  return ['client', 'doctor', 'pastor', 'super_admin'];
}

/** Flags stored for features that don't exist yet. */
const awaited: readonly FlagId[] = ['calendar_integration', 'push_notifications'];

export function isAwaited(flag: FlagId): boolean {
  return awaited.includes(flag);
}

export const categoryOrder: readonly FlagCategory[] = [
  'communication',
  'sessions',
  'notifications',
  'security',
  'wellness',
];

export type FlagState = Pick<FlagView, 'enabled' | 'scope' | 'roles' | 'personIds'>;

const everywhere: Omit<FlagState, 'enabled'> = { scope: 'global', roles: [], personIds: [] };
const forRoles = (...roles: Role[]): Omit<FlagState, 'enabled'> => ({
  scope: 'role_based',
  roles,
  personIds: [],
});

/** For 'Reset to Default Configuration' (administrator spec). */
const factory: Readonly<Record<FlagId, Readonly<FlagState>>> = {
  video_sessions: { enabled: true, ...forRoles('doctor', 'pastor') },
  group_sessions: { enabled: true, ...everywhere },
  direct_messaging: { enabled: true, ...everywhere },
  calendar_integration: { enabled: false, ...forRoles('doctor', 'pastor') },
  push_notifications: { enabled: true, ...everywhere },
  two_factor_authentication: { enabled: false, ...forRoles('doctor', 'pastor', 'super_admin') },
  mobile_app_access: { enabled: true, ...everywhere },
  wellness_tracking: { enabled: true, ...everywhere },
};

type Changeable = Pick<FlagView, 'id' | 'category' | 'experimental'> & FlagState;

/** Previews a bulk action. */
export function bulkChanges<F extends Changeable>(
  action: BulkAction,
  flags: readonly F[],
): { flag: F; to: FlagState }[] {
  return flags
    .map((flag) => ({ flag, to: stateAfterBulk(action, flag) }))
    .filter(({ flag, to }) => !isSameState(flag, to));
}

function stateAfterBulk(action: BulkAction, flag: Changeable): FlagState {
  const { enabled, scope, roles, personIds } = flag;
  const as = (next: boolean): FlagState => ({ enabled: next, scope, roles, personIds });
  if (action === 'reset') return factory[flag.id];
  if (action === 'enable_communication') return as(flag.category === 'communication' || enabled);
  return as(enabled && !flag.experimental);
}

/** Ignores the order of roles and people. */
export function isSameState(one: FlagState, other: FlagState): boolean {
  const described = ({ enabled, scope, roles, personIds }: FlagState) =>
    JSON.stringify([
      enabled,
      scope,
      scope === 'role_based' ? roles.toSorted() : [],
      scope === 'user_specific' ? personIds.toSorted() : [],
    ]);
  return described(one) === described(other);
}
