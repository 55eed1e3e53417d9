import type { FlagId } from '#/features/settings/flags/contract.ts';
import type { FlagState } from '#/features/settings/flags/rules.ts';

const state = (enabled: boolean, ...roles: FlagState['roles']): FlagState => ({
  enabled,
  scope: roles.length > 0 ? 'role_based' : 'global',
  roles,
  personIds: [],
});

/** Flag defaults from the administrator spec, sections 3 and 6: two off, three limited to some roles. */
export const deliveredFlags: Readonly<Record<FlagId, FlagState>> = {
  video_sessions: state(true, 'doctor', 'pastor'),
  group_sessions: state(true),
  direct_messaging: state(true),
  calendar_integration: state(false, 'doctor', 'pastor'),
  push_notifications: state(true),
  two_factor_authentication: state(false, 'doctor', 'pastor', 'super_admin'),
  mobile_app_access: state(true),
  wellness_tracking: state(true),
};
