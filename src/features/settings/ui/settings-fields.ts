import { m } from '#/texts/messages.js';
import { zoneName } from '#/web/zones.ts';
import { settings, type ChoiceId, type NumberId, type SettingId, type SiteSettings } from '../rules.ts';

export type SettingField = { id: SettingId; label: () => string; hint: string } & (
  | { kind: 'text' | 'email'; min: number; max: number }
  | { kind: 'zone' }
  | { kind: 'number'; min: number; max: number; unit: 'minutes' | 'hours' | 'characters' | null }
  | { kind: 'switch' }
  | { kind: 'choice'; options: readonly { value: string; label: string }[] }
);

type Section = { id: string; title: () => string; fields: readonly SettingField[] };

/** All 23 settings, in the administrator spec's sections (section 2). */
export const settingSections: readonly Section[] = [
  {
    id: 'site',
    title: m.settings_section_site,
    fields: [
      text('siteName', m.settings_site_name, m.settings_site_name_hint(settings.siteName)),
      text(
        'siteDescription',
        m.settings_site_description,
        m.settings_site_description_hint(settings.siteDescription),
      ),
      {
        id: 'supportEmail',
        ...settings.supportEmail,
        label: m.settings_support_email,
        hint: m.settings_support_email_hint(),
      },
      { id: 'timezone', kind: 'zone', label: m.settings_timezone, hint: m.settings_timezone_hint() },
    ],
  },
  {
    id: 'appointments',
    title: m.settings_section_appointments,
    fields: [
      number(
        'defaultSessionDuration',
        m.settings_default_session_duration,
        m.settings_default_session_duration_hint,
      ),
      number(
        'bookingAdvanceNotice',
        m.settings_booking_advance_notice,
        m.settings_booking_advance_notice_hint,
      ),
      number('cancellationDeadline', m.settings_cancellation_deadline, m.settings_cancellation_deadline_hint),
      number('maxDailyBookings', m.settings_max_daily_bookings, m.settings_max_daily_bookings_hint),
      number('bufferTimeMinutes', m.settings_buffer_time, m.settings_buffer_time_hint),
      toggle('allowGuestBooking', m.settings_allow_guest_booking, m.settings_allow_guest_booking_hint()),
      choice(
        'calendarProvider',
        m.settings_calendar_provider,
        m.settings_not_available_calendar(),
        calendarNames(),
      ),
      toggle('autoSyncEnabled', m.settings_auto_sync, m.settings_not_available_calendar()),
    ],
  },
  {
    id: 'notifications',
    title: m.settings_section_notifications,
    fields: [
      toggle('emailNotifications', m.settings_email_notifications, m.settings_email_notifications_hint()),
      toggle('smsNotifications', m.settings_sms_notifications, m.settings_not_available()),
      toggle('pushNotifications', m.settings_push_notifications, m.settings_not_available()),
      number('reminderTime', m.settings_reminder_time, m.settings_reminder_time_hint),
    ],
  },
  {
    id: 'security',
    title: m.settings_section_security,
    fields: [
      number('sessionTimeout', m.settings_session_timeout, m.settings_session_timeout_hint),
      number('passwordMinLength', m.settings_password_min_length, m.settings_password_min_length_hint),
      toggle('requireTwoFactor', m.settings_require_two_factor, m.settings_require_two_factor_hint()),
    ],
  },
  {
    id: 'system',
    title: m.settings_section_system,
    fields: [
      toggle('maintenanceMode', m.settings_maintenance_mode, m.settings_maintenance_mode_hint()),
      toggle('debugMode', m.settings_debug_mode, m.settings_debug_mode_hint()),
      choice('logLevel', m.settings_log_level, m.settings_log_level_hint(), {
        error: m.settings_log_level_error(),
        warn: m.settings_log_level_warn(),
        info: m.settings_log_level_info(),
        debug: m.settings_log_level_debug(),
      }),
      choice('backupFrequency', m.settings_backup_frequency, m.settings_backup_frequency_hint(), {
        hourly: m.settings_backup_hourly(),
        daily: m.settings_backup_daily(),
        weekly: m.settings_backup_weekly(),
        monthly: m.settings_backup_monthly(),
      }),
    ],
  },
];

const fields = new Map(
  settingSections.flatMap((section) => section.fields.map((field) => [field.id, field])),
);

export function fieldOf(id: SettingId): SettingField {
  return fields.get(id)!;
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
  if (field.unit === 'minutes')
    return count === 1 ? m.settings_value_minute() : m.settings_value_minutes({ count });
  if (field.unit === 'hours')
    return count === 1 ? m.settings_value_hour() : m.settings_value_hours({ count });
  return field.unit === 'characters' ? m.settings_value_characters({ count }) : String(count);
}

export function refusedText(field: SettingField): string {
  if (field.kind === 'number') return m.settings_problem_number(field);
  if (field.kind === 'email') return m.settings_problem_email();
  if (field.kind === 'zone') return m.settings_problem_zone();
  return field.kind === 'text' ? m.settings_problem_text({ max: field.max }) : m.settings_problem_choice();
}

function text(id: 'siteName' | 'siteDescription', label: () => string, hint: string): SettingField {
  return { id, ...settings[id], label, hint };
}

function number(
  id: NumberId,
  label: () => string,
  hint: (limits: { min: number; max: number }) => string,
): SettingField {
  return { id, ...settings[id], label, hint: hint(settings[id]) };
}

function toggle(id: SettingId, label: () => string, hint: string): SettingField {
  return { id, kind: 'switch', label, hint };
}

function choice<Id extends ChoiceId>(
  id: Id,
  label: () => string,
  hint: string,
  names: Readonly<Record<SiteSettings[Id], string>>,
): SettingField {
  const options = (settings[id].options as readonly SiteSettings[Id][]).map((value) => ({
    value,
    label: names[value],
  }));
  return { id, kind: 'choice', label, hint, options };
}

function calendarNames() {
  return {
    google: m.settings_calendar_provider_google(),
    outlook: m.settings_calendar_provider_outlook(),
    apple: m.settings_calendar_provider_apple(),
  };
}
