import type { Role } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import type { SuspensionReason, UserStatus } from '../directory/rules.ts';
import { failureText } from './failure-text.ts';

export const roleTexts: Readonly<Record<Role, () => string>> = {
  client: m.users_role_client,
  doctor: m.users_role_doctor,
  pastor: m.users_role_pastor,
  super_admin: m.users_role_super_admin,
};

export const statusTexts: Readonly<Record<UserStatus, () => string>> = {
  active: m.users_active,
  inactive: m.users_inactive,
  suspended: m.users_suspended,
};

export const reasonTexts: Readonly<Record<SuspensionReason, () => string>> = {
  conduct: m.users_reason_conduct,
  safety: m.users_reason_safety,
  misuse: m.users_reason_misuse,
  asked: m.users_reason_asked,
  other: m.users_reason_other,
};

export function counted(count: number): string {
  return new Intl.NumberFormat('en-US').format(count);
}

export function userFailureText(error: unknown): string {
  if (!(error instanceof AppError)) return failureText(error);
  if (error.code === 'not_found') return m.users_refused_gone();
  switch (error.reason) {
    case 'yourself':
      return m.users_refused_yourself();
    case 'last_administrator':
      return m.users_refused_last();
    case 'sessions_to_come':
      return m.users_refused_sessions();
    case 'sessions_changed':
      return m.handover_changed();
    case 'reassign_taken':
      return m.handover_taken();
    case 'role_not_offered':
      return m.users_refused_role();
    case 'changed_meanwhile':
      return m.users_changed_meanwhile();
    case 'capability_missing':
      return m.users_refused_rights();
    default:
      return failureText(error);
  }
}
