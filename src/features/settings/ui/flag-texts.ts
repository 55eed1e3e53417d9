import type { Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { failureReason, failureText } from '#/web/failures.ts';
import type { FlagCategory, FlagScope } from '../flags/contract.ts';
import type { FlagState } from '../flags/rules.ts';

export const categoryText: Readonly<Record<FlagCategory, () => string>> = {
  communication: m.flags_category_communication,
  sessions: m.flags_category_sessions,
  notifications: m.flags_category_notifications,
  security: m.flags_category_security,
  wellness: m.flags_category_wellness,
};

export const scopeText: Readonly<Record<FlagScope, () => string>> = {
  global: m.flags_scope_global,
  role_based: m.flags_scope_role_based,
  user_specific: m.flags_scope_user_specific,
};

export const roleText: Readonly<Record<Role, () => string>> = {
  client: m.users_role_client,
  doctor: m.users_role_doctor,
  pastor: m.users_role_pastor,
  super_admin: m.users_role_super_admin,
};

export function stateText({ enabled, scope, roles, personIds }: FlagState): string {
  const whom = {
    global: m.flags_for_everyone(),
    role_based: roles.map((role) => roleText[role]()).join(', '),
    user_specific: m.flags_people({ count: personIds.length }),
  };
  return enabled ? m.flags_state_on({ whom: whom[scope] }) : m.flags_state_off({ whom: whom[scope] });
}

export function isOutdated(error: unknown): boolean {
  return failureReason(error) === 'flag_changed';
}

export function flagFailure(error: unknown): string {
  return failureText(error, { flag_changed: m.flags_outdated });
}
