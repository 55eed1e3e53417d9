import type { Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { failureText } from '#/web/failures.ts';
import type { SuspensionReason, UserStatus } from '../users/rules.ts';
import { accountFailures } from './failure-text.ts';
import type { OpenedUser } from '../users/contract.ts';

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
  return failureText(error, {
    ...accountFailures,
    not_found: m.users_refused_gone,
    api_token: m.web_gone,
    yourself: m.users_refused_yourself,
    last_administrator: m.users_refused_last,
    sessions_to_come: m.users_refused_sessions,
    sessions_changed: m.handover_changed,
    reassign_taken: m.handover_taken,
    role_not_offered: m.users_refused_role,
    changed_meanwhile: m.users_changed_meanwhile,
    capability_missing: m.users_refused_rights,
  });
}

export interface UserDialogProps {
  user: OpenedUser;
  onClose: () => void;
}
