import type { Role } from '#/kernel/actor.ts';
import type { BulkAction, FlagCategory, FlagId, FlagScope, FlagView } from './contract.ts';

/** What decides whether a flag is on for somebody. */
export interface Flag {
  id: FlagId;
  enabled: boolean;
  scope: FlagScope;
  roles: readonly Role[];
  /** Whether they are among those for whom it is on by name. */
  chosen: boolean;
}

/**
 * The features that a provider offers and a client joins. Their roles and people are providers: each session and each
 * conversation goes by its provider, so everybody else has the feature as soon as somebody may offer it: an administrator
 * finds in the directory what clients find there.
 */
const offered: readonly FlagId[] = ['video_sessions', 'group_sessions', 'direct_messaging'];

/** Whether a provider offers the feature, and clients join. */
export function isOffered(flag: FlagId): boolean {
  return offered.includes(flag);
}

/** The flags that are on for a person of that role, or for a guest, who has none. */
export function flagsOn(flags: readonly Flag[], role: Role | null): FlagId[] {
  return flags.filter((flag) => flag.enabled && isWithin(flag, role)).map(({ id }) => id);
}

function isWithin({ id, scope, roles, chosen }: Flag, role: Role | null): boolean {
  if (scope === 'global') return true;
  if (isOffered(id) && role !== 'doctor' && role !== 'pastor') return true;
  // Who isn't signed in has no role that could be left out.
  return scope === 'role_based' ? role === null || roles.includes(role) : chosen;
}

/** The roles for which a role-based flag can be on. */
export function rolesFor(flag: FlagId): readonly Role[] {
  if (isOffered(flag) || flag === 'calendar_integration') return ['doctor', 'pastor'];
  if (flag === 'wellness_tracking') return ['client', 'doctor', 'pastor'];
  return ['client', 'doctor', 'pastor', 'super_admin'];
}

/** Flags whose feature comes with a later part: they are kept, and act once it is there. */
const awaited: readonly FlagId[] = ['calendar_integration', 'push_notifications'];

/** Whether there is nothing yet that the flag would switch. */
export function isAwaited(flag: FlagId): boolean {
  return awaited.includes(flag);
}

/** How many people a flag can be on for by name, as the contract has it. */
export const mostPeople = 200;

/** The order in which categories are shown. */
export const categoryOrder: readonly FlagCategory[] = [
  'communication',
  'sessions',
  'notifications',
  'security',
  'wellness',
];

/** What can be set of a flag. */
export type FlagState = Pick<FlagView, 'enabled' | 'scope' | 'roles' | 'personIds'>;

const everywhere: Omit<FlagState, 'enabled'> = { scope: 'global', roles: [], personIds: [] };
const forRoles = (...roles: Role[]): Omit<FlagState, 'enabled'> => ({
  scope: 'role_based',
  roles,
  personIds: [],
});

/** Every flag as delivered, which 'Reset to Default Configuration' brings back (administrator spec, sections 3 and 6). */
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

/** What decides what a bulk action does with a flag. */
type Changeable = Pick<FlagView, 'id' | 'category' | 'experimental'> & FlagState;

/** The flags that a bulk action would change, each with what it would become. */
export function bulkChanges<F extends Changeable>(
  action: BulkAction,
  flags: readonly F[],
): { flag: F; to: FlagState }[] {
  return flags
    .map((flag) => ({ flag, to: afterBulk(action, flag) }))
    .filter(({ flag, to }) => !isSameState(flag, to));
}

function afterBulk(action: BulkAction, flag: Changeable): FlagState {
  const { enabled, scope, roles, personIds } = flag;
  const as = (next: boolean): FlagState => ({ enabled: next, scope, roles, personIds });
  if (action === 'reset') return factory[flag.id];
  if (action === 'enable_communication') return as(flag.category === 'communication' || enabled);
  return as(enabled && !flag.experimental);
}

/** Whether two states of a flag are the same, whatever the order of their roles and people. */
export function isSameState(one: FlagState, other: FlagState): boolean {
  const told = ({ enabled, scope, roles, personIds }: FlagState) =>
    JSON.stringify([
      enabled,
      scope,
      scope === 'role_based' ? roles.toSorted() : [],
      scope === 'user_specific' ? personIds.toSorted() : [],
    ]);
  return told(one) === told(other);
}
