import { roles, type Actor, type Role, type Scope } from '#/kernel/actor.ts';
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

/**
 * Capability table (client spec, section 6), plus: everyone views content, administrators also create it and have a
 * profile.
 */
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

export function can(role: Role | null, capability: Capability): boolean {
  return role !== null && capabilities[role].includes(capability);
}

/** Returns realtime topics reaching everyone with a capability. */
export function topicsOf(capability: Capability): string[] {
  return roles.filter((role) => can(role, capability)).map((role) => `role:${role}`);
}

/** Capabilities behind each scope; any suffices. */
const capabilitiesOf: Readonly<Record<Scope, readonly Capability[]>> = {
  'appointments:read': ['view_own_appointments', 'manage_own_appointments'],
  'availability:read': ['manage_own_availability'],
  'availability:write': ['manage_own_availability'],
  'users:read': ['manage_users'],
  'bookings:read': ['manage_appointments'],
  'reports:read': ['view_analytics'],
  'health:read': ['view_analytics'],
  'audit:read': ['view_all_data'],
};

/** Keeps the scopes that a role can use. */
export function scopesWithin<S extends Scope>(role: Role, scopes: readonly S[]): S[] {
  return scopes.filter((scope) => capabilitiesOf[scope].some((capability) => can(role, capability)));
}

/** Throws unless the actor meets the access declaration. Jobs and the system always pass. */
export function authorize(actor: Actor, access: Access = 'undeclared'): void {
  if (access === 'undeclared') throw new AppError('forbidden', 'undeclared');
  if (access === 'public' || actor.kind === 'job' || actor.kind === 'system') return;
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'sign_in_required');
  if (access === 'signed_in') {
    if (actor.kind === 'site_token') throw new AppError('forbidden', 'persons_only');
    return;
  }
  if (!access.some((capability) => holds(actor, capability))) {
    throw new AppError('forbidden', 'capability_missing', { data: { required: [...access] } });
  }
}

function holds(actor: Extract<Actor, { kind: 'person' | 'site_token' }>, capability: Capability): boolean {
  if (actor.kind === 'person') return can(actor.role, capability);
  return actor.scopes.some((scope) => capabilitiesOf[scope].includes(capability));
}

/** Throws forbidden `scope_missing` for an API token without the procedure's scope, or if that has none. */
export function requireScope(actor: Actor, scope: Scope | undefined): void {
  if (!('scopes' in actor) || !actor.scopes) return;
  if (scope === undefined || !actor.scopes.includes(scope)) throw new AppError('forbidden', 'scope_missing');
}

/** A permission gate's refusal (client spec, section 6). */
export type GateRefusal =
  | { kind: 'role' }
  | { kind: 'capability'; capability: Capability }
  | { kind: 'capabilities'; capabilities: readonly Capability[] };

/** Required access: any listed role, one capability, or any or all of several. */
export interface GateRequirement {
  roles?: readonly Role[];
  capability?: Capability;
  capabilities?: readonly Capability[];
  requireAll?: boolean;
}

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

/** The acting person's id, scoping reads to their own rows. Only `selfOf` creates it. */
export type Self = string & { readonly [minted]: 'self' };

/** The acting person's id. Throws `unauthenticated` without one. */
export function selfOf({ actor }: { actor: Actor }): Self {
  if (actor.kind !== 'person') throw new AppError('unauthenticated', 'sign_in_required');
  return actor.id as Self;
}
