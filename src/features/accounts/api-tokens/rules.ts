import { can } from '#/features/access/rules.ts';
import type { Capability } from '#/features/access/contract.ts';
import { scopes, type Role, type Scope } from '#/kernel/actor.ts';

/** Tokens per account that haven't expired. */
export const maxApiTokens = 10;

export const maxTokenDays = 366;

/** Days a token may last, as the screen offers them. */
export const tokenDays = [30, 90, 365] as const;

/** Lets secret scanners find tokens in code. */
export const tokenPrefix = 'italk_';

export function isApiToken(bearer: string): boolean {
  return bearer.startsWith(tokenPrefix);
}

const needs: Readonly<Record<Scope, readonly Capability[]>> = {
  'appointments:read': ['view_own_appointments', 'manage_own_appointments'],
  'availability:read': ['manage_own_availability'],
  'availability:write': ['manage_own_availability'],
  'users:read': ['manage_users'],
};

/** Scopes each role can use. */
export function scopesFor(role: Role): Scope[] {
  return scopes.filter((scope) => needs[scope].some((capability) => can(role, capability)));
}
