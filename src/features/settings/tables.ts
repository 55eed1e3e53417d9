import type { ColumnType, Generated } from 'kysely';
import type { SettingChange, SiteSettings } from './contract.ts';

/** Single row; units as in the administrator spec. */
export interface SiteSettingsTable {
  id: Generated<boolean>;
  version: Generated<number>;
  site_name: Generated<string>;
  site_description: Generated<string>;
  support_email: Generated<string>;
  timezone: Generated<string>;
  default_session_duration: Generated<number>;
  booking_advance_notice: Generated<number>;
  cancellation_deadline: Generated<number>;
  max_daily_bookings: Generated<number>;
  email_notifications: Generated<boolean>;
  sms_notifications: Generated<boolean>;
  push_notifications: Generated<boolean>;
  reminder_time: Generated<number>;
  session_timeout: Generated<number>;
  password_min_length: Generated<number>;
  require_two_factor: Generated<boolean>;
  allow_guest_booking: Generated<boolean>;
  calendar_provider: Generated<SiteSettings['calendarProvider']>;
  auto_sync_enabled: Generated<boolean>;
  buffer_time_minutes: Generated<number>;
  maintenance_mode: Generated<boolean>;
  debug_mode: Generated<boolean>;
  log_level: Generated<SiteSettings['logLevel']>;
  backup_frequency: Generated<SiteSettings['backupFrequency']>;
}

interface SiteSettingsHistoryTable {
  version: number;
  changed_at: Date;
  kind: 'saved' | 'reset';
  actor_kind: 'person' | 'system';
  changed_by: string | null;
  changes: ColumnType<SettingChange[], string>;
}

declare module '#/platform/context.ts' {
  interface Database {
    site_settings: SiteSettingsTable;
    site_settings_history: SiteSettingsHistoryTable;
  }
}
