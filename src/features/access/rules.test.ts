import { describe, expect, it } from 'vitest';
import { roles, siteScopes, type Actor, type SiteScope } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { authorize, can, gateRefusal, requireScope, topicsOf } from './rules.ts';

const person = (role: (typeof roles)[number]): Actor => ({ kind: 'person', id: 'p', role, sessionId: 's' });

function refusalOf(actor: Actor, access: Parameters<typeof authorize>[1]): string | null {
  try {
    authorize(actor, access);
    return null;
  } catch (error) {
    return error instanceof AppError ? error.code : 'defect';
  }
}

describe('the capability table', () => {
  it('gives doctors and pastors the same capabilities, clients others, and none without a role', () => {
    for (const capability of [
      'manage_own_appointments',
      'manage_own_availability',
      'send_messages',
      'view_own_clients',
      'manage_own_profile',
      'create_content',
      'view_own_analytics',
      'view_content',
    ] as const) {
      expect(can('doctor', capability), capability).toBe(true);
      expect(can('pastor', capability), capability).toBe(true);
    }
    expect(can('client', 'book_appointments')).toBe(true);
    expect(can('doctor', 'book_appointments')).toBe(false);
    expect(can('super_admin', 'book_appointments')).toBe(false);
    expect(can('super_admin', 'manage_appointments')).toBe(true);
    expect(can(null, 'view_content')).toBe(false);
  });
});

describe('authorise', () => {
  it('rejects everyone when access is undeclared', () => {
    for (const actor of [{ kind: 'guest' }, { kind: 'system' }, ...roles.map(person)] as Actor[]) {
      expect(refusalOf(actor, 'undeclared')).toBe('forbidden');
    }
  });

  it('requires guests to sign in, and people to have one of the capabilities', () => {
    expect(refusalOf({ kind: 'guest' }, 'public')).toBeNull();
    expect(refusalOf({ kind: 'guest' }, 'signed_in')).toBe('unauthenticated');
    expect(refusalOf({ kind: 'guest' }, ['book_appointments'])).toBe('unauthenticated');
    expect(refusalOf(person('doctor'), ['book_appointments'])).toBe('forbidden');
    expect(refusalOf(person('client'), ['manage_users', 'book_appointments'])).toBeNull();
  });

  it('gives a token of the site only the capabilities of its scopes, and nothing personal', () => {
    const token = (...scopes: SiteScope[]): Actor => ({ kind: 'site_token', id: 't', scopes });
    for (const scope of siteScopes) expect(refusalOf(token(scope), 'signed_in')).toBe('forbidden');
    expect(refusalOf(token('users:read'), ['manage_users'])).toBeNull();
    expect(refusalOf(token('users:read'), ['view_all_data', 'manage_settings'])).toBe('forbidden');
    expect(refusalOf(token('health:read', 'audit:read'), ['view_all_data'])).toBeNull();
    expect(refusalOf(token(), ['manage_users'])).toBe('forbidden');
  });

  it('requires a token’s scope, even of procedures for everyone', () => {
    const token: Actor = { kind: 'site_token', id: 't', scopes: ['users:read'] };
    expect(() => requireScope(token, undefined)).toThrow('scope_missing');
    expect(() => requireScope(token, 'audit:read')).toThrow('scope_missing');
    expect(() => requireScope(token, 'users:read')).not.toThrow();
  });
});

it('maps a capability to the topics of the roles that have it', () => {
  expect(topicsOf('moderate_content')).toEqual(['role:super_admin']);
  expect(topicsOf('view_own_clients')).toEqual(['role:doctor', 'role:pastor']);
});

describe('the permission gate', () => {
  it('checks the role first, then the capability, then the list', () => {
    expect(gateRefusal('client', { roles: ['doctor'], capability: 'book_appointments' })).toEqual({
      kind: 'role',
    });
    expect(gateRefusal('doctor', { capability: 'book_appointments' })).toEqual({
      kind: 'capability',
      capability: 'book_appointments',
    });
    const both = ['book_appointments', 'manage_users'] as const;
    expect(gateRefusal('client', { capabilities: both })).toBeNull();
    expect(gateRefusal('client', { capabilities: both, requireAll: true })).toEqual({
      kind: 'capabilities',
      capabilities: both,
    });
    expect(gateRefusal(null, { roles: ['client'] })).toEqual({ kind: 'role' });
  });
});
