import { m } from '#/texts/messages.js';
import { zoneName } from '#/web/zones.ts';
import { bySetting, settings, type ChoiceId, type SettingId, type SiteSettings } from '../rules.ts';

export type SettingField = { id: SettingId; label: () => string; hint: string | undefined } & (
  | { kind: 'text' | 'email'; min: number; max: number }
  | { kind: 'zone' }
  | { kind: 'number'; min: number; max: number; unit: 'minutes' | 'hours' | 'characters' | null }
  | { kind: 'switch' }
  | { kind: 'choice'; options: readonly { value: string; label: string }[] }
);

interface Section {
  id: string;
  title: () => string;
  fields: readonly SettingField[];
}

interface FieldText {
  label: () => string;
  hint?: (limits: { min: number; max: number }) => string;
  options?: Readonly<Record<string, () => string>>;
}

type ChoiceText<Id extends ChoiceId> = FieldText & {
  options: Readonly<Record<SiteSettings[Id], () => string>>;
};

const site = {
  siteName: { label: m.settings_site_name, hint: m.settings_site_name_hint },
  siteDescription: { label: m.settings_site_description, hint: m.settings_site_description_hint },
  supportEmail: { label: m.settings_support_email, hint: m.settings_support_email_hint },
  timezone: { label: m.settings_timezone, hint: m.settings_timezone_hint },
};

const appointments = {
  defaultSessionDuration: {
    label: m.settings_default_session_duration,
    hint: m.settings_default_session_duration_hint,
  },
  bookingAdvanceNotice: {
    label: m.settings_booking_advance_notice,
    hint: m.settings_booking_advance_notice_hint,
  },
  cancellationDeadline: {
    label: m.settings_cancellation_deadline,
    hint: m.settings_cancellation_deadline_hint,
  },
  maxDailyBookings: { label: m.settings_max_daily_bookings, hint: m.settings_max_daily_bookings_hint },
  bufferTimeMinutes: { label: m.settings_buffer_time, hint: m.settings_buffer_time_hint },
  allowGuestBooking: { label: m.settings_allow_guest_booking, hint: m.settings_allow_guest_booking_hint },
  calendarProvider: {
    label: m.settings_calendar_provider,
    hint: m.flags_awaited,
    options: {
      google: m.settings_calendar_provider_google,
      outlook: m.settings_calendar_provider_outlook,
      apple: m.settings_calendar_provider_apple,
    },
  },
  autoSyncEnabled: { label: m.settings_auto_sync, hint: m.flags_awaited },
};

const notifications = {
  emailNotifications: { label: m.settings_email_notifications, hint: m.settings_email_notifications_hint },
  smsNotifications: { label: m.settings_sms_notifications, hint: m.flags_awaited },
  pushNotifications: { label: m.settings_push_notifications, hint: m.flags_awaited },
  reminderTime: { label: m.settings_reminder_time, hint: m.settings_reminder_time_hint },
};

const security = {
  sessionTimeout: { label: m.settings_session_timeout, hint: m.settings_session_timeout_hint },
  passwordMinLength: { label: m.settings_password_min_length, hint: m.settings_password_min_length_hint },
  signInCode: { label: m.settings_sign_in_code, hint: m.settings_sign_in_code_hint },
  passkeys: { label: m.settings_passkeys, hint: m.settings_passkeys_hint },
  requireTwoFactor: { label: m.settings_require_two_factor },
};

const system = {
  maintenanceMode: { label: m.settings_maintenance_mode, hint: m.settings_maintenance_mode_hint },
  debugMode: { label: m.settings_debug_mode, hint: m.settings_debug_mode_hint },
  logLevel: {
    label: m.settings_log_level,
    options: {
      error: m.settings_log_level_error,
      warn: m.settings_log_level_warn,
      info: m.settings_log_level_info,
      debug: m.settings_log_level_debug,
    },
  },
  backupFrequency: {
    label: m.settings_backup_frequency,
    options: {
      hourly: m.settings_backup_hourly,
      daily: m.settings_backup_daily,
      weekly: m.settings_backup_weekly,
      monthly: m.settings_backup_monthly,
    },
  },
};

const words: { [Id in SettingId]: Id extends ChoiceId ? ChoiceText<Id> : FieldText } = {
  ...site,
  ...appointments,
  ...notifications,
  ...security,
  ...system,
};

const fields = bySetting((id) => describeField(id, settings[id], words[id]));

function section(id: string, title: () => string, of: Partial<Record<SettingId, FieldText>>): Section {
  return { id, title, fields: (Object.keys(of) as SettingId[]).map((setting) => fields[setting]) };
}

/** In the spec's order (section 2). */
export const settingSections: readonly Section[] = [
  section('site', m.settings_section_site, site),
  section('appointments', m.settings_section_appointments, appointments),
  section('notifications', m.settings_section_notifications, notifications),
  section('security', m.settings_section_security, security),
  section('system', m.settings_section_system, system),
];

/** Settings of a section whose name, hint or section contains every word of the search. */
export function findSettings({ title, fields: all }: Section, search: string): readonly SettingField[] {
  const wanted = search.toLowerCase().split(/\s+/);
  return all.filter(({ label, hint }) => {
    const text = `${title()} ${label()} ${hint ?? ''}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

export function fieldOf(id: SettingId): SettingField {
  return fields[id];
}

export function settingName(id: SettingId): string {
  return fieldOf(id)
    .label()
    .replace(/ \(.*\)$/, '');
}

export function valueText(id: SettingId, value: string | number | boolean): string {
  const field = fieldOf(id);
  if (typeof value === 'boolean') return value ? m.settings_value_on() : m.settings_value_off();
  if (field.kind === 'zone') return zoneName(String(value));
  if (field.kind === 'choice')
    return field.options.find((option) => option.value === value)?.label ?? String(value);
  if (field.kind !== 'number') return `“${String(value)}”`;
  const count = Number(value);
  if (field.unit === 'minutes') return m.settings_value_minutes({ count });
  if (field.unit === 'hours') return m.settings_value_hours({ count });
  return field.unit === 'characters' ? m.settings_value_characters({ count }) : String(count);
}

export function refusedText(field: SettingField): string {
  if (field.kind === 'number') return m.settings_problem_number(field);
  if (field.kind === 'email') return m.web_email_bad();
  if (field.kind === 'zone') return m.web_zone_bad();
  return field.kind === 'text' ? m.settings_problem_text({ max: field.max }) : m.settings_problem_choice();
}

function describeField(
  id: SettingId,
  setting: (typeof settings)[SettingId],
  { label, hint, options }: FieldText,
): SettingField {
  const shown = { id, label, hint: hint?.({ min: 0, max: 0, ...setting }) };
  if (setting.kind !== 'choice') return { ...setting, ...shown };
  return {
    ...shown,
    kind: 'choice',
    options: setting.options.map((value) => ({ value, label: options![value]!() })),
  };
}
