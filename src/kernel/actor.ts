/** Jobs and the system run the same commands as people, and the audit log names them. */
export type Actor =
  /**
   * `issuedAt` is when a program's access token was issued, in seconds since 1970; browsers have none. `scopes` limit an
   * API token, whose id is then the `sessionId`.
   */
  | {
      kind: 'person';
      id: string;
      role: Role;
      sessionId: string;
      issuedAt?: number;
      scopes?: readonly Scope[];
    }
  /** A token of the site. */
  | { kind: 'site_token'; id: string; scopes: readonly Scope[] }
  | { kind: 'guest' }
  | { kind: 'job'; name: string }
  | { kind: 'system' };

/** Roles from the client spec, section 6. */
export const roles = ['super_admin', 'doctor', 'pastor', 'client'] as const;

export type Role = (typeof roles)[number];

/** Permissions of people's API tokens. */
export const personalScopes = [
  'appointments:read',
  'availability:read',
  'availability:write',
  'users:read',
] as const;

/** Permissions of the site's API tokens. */
export const siteScopes = [
  'users:read',
  'bookings:read',
  'reports:read',
  'health:read',
  'audit:read',
] as const;

export type PersonalScope = (typeof personalScopes)[number];
export type SiteScope = (typeof siteScopes)[number];
export type Scope = PersonalScope | SiteScope;

export function isProvider(role: Role | null | undefined): role is 'doctor' | 'pastor' {
  return role === 'doctor' || role === 'pastor';
}
