/**
 * The administrator spec's site settings (section 3), plus sign-in codes and passkeys, each declared here once: column, default and
 * limits, with section 9's defaults and units. Limits are of the value, or of the text's length in characters.
 */
export const settings = {
  siteName: text('site_name', 'iTalk Health', { min: 1, max: 80 }),
  siteDescription: text(
    'site_description',
    'Faith-based counseling and wellness with Christian doctors and pastors',
    { min: 1, max: 300 },
  ),
  supportEmail: setting('email', 'support_email', 'support@italk.example', { min: 3, max: 254 }),
  /** IANA name; the command checks that it exists. */
  timezone: setting('zone', 'timezone', 'America/New_York', {}),
  defaultSessionDuration: number('default_session_duration', 60, 'minutes', { min: 15, max: 240 }),
  bookingAdvanceNotice: number('booking_advance_notice', 24, 'hours', { min: 0, max: 720 }),
  cancellationDeadline: number('cancellation_deadline', 2, 'hours', { min: 0, max: 168 }),
  maxDailyBookings: number('max_daily_bookings', 8, null, { min: 1, max: 100 }),
  emailNotifications: toggle('email_notifications', true),
  smsNotifications: toggle('sms_notifications', false),
  pushNotifications: toggle('push_notifications', true),
  reminderTime: number('reminder_time', 60, 'minutes', { min: 5, max: 10_080 }),
  sessionTimeout: number('session_timeout', 30, 'minutes', { min: 5, max: 1_440 }),
  passwordMinLength: number('password_min_length', 8, 'characters', { min: 6, max: 64 }),
  signInCode: toggle('sign_in_code', true),
  passkeys: toggle('passkeys', true),
  requireTwoFactor: toggle('require_two_factor', false),
  allowGuestBooking: toggle('allow_guest_booking', false),
  calendarProvider: choice('calendar_provider', 'google', ['google', 'outlook', 'apple']),
  autoSyncEnabled: toggle('auto_sync_enabled', true),
  bufferTimeMinutes: number('buffer_time_minutes', 15, 'minutes', { min: 0, max: 120 }),
  maintenanceMode: toggle('maintenance_mode', false),
  debugMode: toggle('debug_mode', false),
  logLevel: choice('log_level', 'info', ['error', 'warn', 'info', 'debug']),
  backupFrequency: choice('backup_frequency', 'daily', ['hourly', 'daily', 'weekly', 'monthly']),
} as const;

/** How people sign in; changing it needs a fresh sign-in. */
export const signInSettings = [
  'sessionTimeout',
  'passwordMinLength',
  'signInCode',
  'passkeys',
  'requireTwoFactor',
] as const satisfies readonly SettingId[];

type Settings = typeof settings;

export type SettingId = keyof Settings;

export type SiteSettings = { [Id in SettingId]: ValueOf<Settings[Id]> };

type ValueOf<Setting> = Setting extends { options: readonly (infer Option)[] }
  ? Option
  : Setting extends { kind: 'number' }
    ? number
    : Setting extends { kind: 'switch' }
      ? boolean
      : string;

export type ChoiceId = { [Id in SettingId]: Settings[Id] extends { kind: 'choice' } ? Id : never }[SettingId];

/** Maps each setting, by what its declaration says. */
export function bySetting<Value>(of: (id: SettingId) => Value): Record<SettingId, Value> {
  return Object.fromEntries((Object.keys(settings) as SettingId[]).map((id) => [id, of(id)])) as Record<
    SettingId,
    Value
  >;
}

export const settingDefaults = bySetting((id) => settings[id].initial) as SiteSettings;

interface Limits {
  min: number;
  max: number;
}

function setting<const Kind extends string, Column extends string, Value, More extends object>(
  kind: Kind,
  column: Column,
  initial: Value,
  more: More,
) {
  return { kind, column, initial, ...more };
}

function text<Column extends string>(column: Column, initial: string, limits: Limits) {
  return setting('text', column, initial, limits);
}

function number<Column extends string>(
  column: Column,
  initial: number,
  unit: 'minutes' | 'hours' | 'characters' | null,
  limits: Limits,
) {
  return setting('number', column, initial, { unit, ...limits });
}

function toggle<Column extends string>(column: Column, initial: boolean) {
  return setting('switch', column, initial, {});
}

function choice<Column extends string, const Option extends string>(
  column: Column,
  initial: NoInfer<Option>,
  options: readonly Option[],
) {
  return setting('choice', column, initial, { options });
}
