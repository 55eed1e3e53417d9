import type { Scope } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';

export const scopeTexts: Readonly<Record<Scope, () => string>> = {
  'appointments:read': m.api_tokens_scope_appointments_read,
  'availability:read': m.api_tokens_scope_availability_read,
  'availability:write': m.api_tokens_scope_availability_write,
  'users:read': m.api_tokens_scope_users_read,
  'bookings:read': m.api_tokens_scope_bookings_read,
  'reports:read': m.api_tokens_scope_reports_read,
  'health:read': m.api_tokens_scope_health_read,
  'audit:read': m.api_tokens_scope_audit_read,
};

export function scopesText({ scopes }: { scopes: readonly Scope[] }): string {
  return scopes.map((scope) => scopeTexts[scope]()).join(' · ');
}
