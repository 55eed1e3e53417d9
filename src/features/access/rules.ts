import { roles, type Actor, type Role } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Access, Capability } from './contract.ts';

const provider: readonly Capability[] = [
  'manage_own_appointments',
  'manage_own_availability',
  'send_messages',
  'view_own_clients',
  'manage_own_profile',
  'create_content',
  'view_own_analytics',
  'view_content',
];

/** The capability table: client spec, section 6, and three additions: everyone may view content, administrators also create it and have a profile. */
const capabilities: Readonly<Record<Role, readonly Capability[]>> = {
  super_admin: [
    'manage_users',
    'manage_providers',
    'manage_services',
    'manage_settings',
    'view_analytics',
    'manage_roles',
    'access_admin_panel',
    'moderate_content',
    'manage_appointments',
    'send_messages',
    'view_all_data',
    'create_content',
    'manage_own_profile',
    'view_content',
  ],
  doctor: provider,
  pastor: provider,
  client: [
    'book_appointments',
    'send_messages',
    'view_own_appointments',
    'manage_own_profile',
    'view_content',
  ],
};

/** Whether a role has a capability; no role has none. */
export function can(role: Role | null, capability: Capability): boolean {
  return role !== null && capabilities[role].includes(capability);
}

/** The live topics on which everybody hears who has a capability, whoever they are. */
export function topicsOf(capability: Capability): string[] {
  return roles.filter((role) => can(role, capability)).map((role) => `role:${role}`);
}

/** Refuses an actor that the access declaration doesn't admit. Jobs and the system act for the product itself. */
export function authorise(actor: Actor, access: Access = 'undeclared'): void {
  if (access === 'undeclared') throw new AppError('forbidden', 'undeclared');
  if (access === 'public' || actor.kind === 'job' || actor.kind === 'system') return;
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'sign_in_required');
  if (access === 'signed_in') return;
  if (!access.some((capability) => can(actor.role, capability))) {
    throw new AppError('forbidden', 'capability_missing', { data: { required: [...access] } });
  }
}

/** Why a permission gate stays shut, as the client spec words it (section 6), or null if it opens. */
export type GateRefusal =
  | { kind: 'role' }
  | { kind: 'capability'; capability: Capability }
  | { kind: 'capabilities'; capabilities: readonly Capability[] };

/** What a permission gate asks for: a role of a list, one capability, any of a list, or all of it. */
export interface GateRequirement {
  roles?: readonly Role[];
  capability?: Capability;
  capabilities?: readonly Capability[];
  requireAll?: boolean;
}

/** Decides a permission gate: first the roles, then the single capability, then the list. */
export function gateRefusal(role: Role | null, requirement: GateRequirement): GateRefusal | null {
  const { roles: admitted, capability, capabilities: list, requireAll } = requirement;
  if (admitted && (role === null || !admitted.includes(role))) return { kind: 'role' };
  if (capability && !can(role, capability)) return { kind: 'capability', capability };
  if (list) {
    const has = (one: Capability) => can(role, one);
    if (!(requireAll ? list.every(has) : list.some(has))) return { kind: 'capabilities', capabilities: list };
  }
  return null;
}

declare const minted: unique symbol;

/** The id of the person who acts, as the scope of reads of their own rows. Only `selfOf` makes one. */
export type Self = string & { readonly [minted]: 'self' };

/** The person who acts, as the scope of reads; `unauthenticated` for anyone else. */
export function selfOf({ actor }: { actor: Actor }): Self {
  if (actor.kind !== 'person') throw new AppError('unauthenticated', 'sign_in_required');
  return actor.id as Self;
}
