import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { AdminSettings, PublicSite, SettingId, SiteSettings } from './contract.ts';
import { flagsFor } from './flags/queries.ts';
import { lastSaving } from './history/queries.ts';
import type { SiteSettingsTable } from './tables.ts';

/** Reads settings without caching, so changes apply immediately in every process. */
export async function siteSettings(ctx: Ctx): Promise<Selectable<SiteSettingsTable>> {
  return ctx.db.selectFrom('site_settings').selectAll().executeTakeFirstOrThrow();
}

export const settingColumns = {
  siteName: 'site_name',
  siteDescription: 'site_description',
  supportEmail: 'support_email',
  timezone: 'timezone',
  defaultSessionDuration: 'default_session_duration',
  bookingAdvanceNotice: 'booking_advance_notice',
  cancellationDeadline: 'cancellation_deadline',
  maxDailyBookings: 'max_daily_bookings',
  emailNotifications: 'email_notifications',
  smsNotifications: 'sms_notifications',
  pushNotifications: 'push_notifications',
  reminderTime: 'reminder_time',
  sessionTimeout: 'session_timeout',
  passwordMinLength: 'password_min_length',
  requireTwoFactor: 'require_two_factor',
  allowGuestBooking: 'allow_guest_booking',
  calendarProvider: 'calendar_provider',
  autoSyncEnabled: 'auto_sync_enabled',
  bufferTimeMinutes: 'buffer_time_minutes',
  maintenanceMode: 'maintenance_mode',
  debugMode: 'debug_mode',
  logLevel: 'log_level',
  backupFrequency: 'backup_frequency',
} as const satisfies Record<SettingId, keyof SiteSettingsTable>;

export function valuesIn(row: Selectable<SiteSettingsTable>): SiteSettings {
  const entries = Object.entries(settingColumns).map(([id, column]) => [id, row[column]]);
  return Object.fromEntries(entries) as SiteSettings;
}

export async function adminSettings(ctx: Ctx): Promise<AdminSettings> {
  const [row, last] = [await siteSettings(ctx), await lastSaving(ctx)];
  return { version: row.version, values: valuesIn(row), last };
}

export interface SiteConfig {
  demo: boolean;
  openDemo: boolean;
  hipaaAttested: boolean;
  supportPhone: string | null;
}

export async function publicSiteOf(ctx: Ctx, config: SiteConfig): Promise<PublicSite> {
  const [settings, flags] = await Promise.all([siteSettings(ctx), flagsFor(ctx)]);
  return {
    siteName: settings.site_name,
    siteDescription: settings.site_description,
    supportEmail: settings.support_email,
    supportPhone: config.supportPhone,
    timeZone: settings.timezone,
    defaultSessionDuration: settings.default_session_duration,
    bookingAdvanceNoticeHours: settings.booking_advance_notice,
    cancellationDeadlineHours: settings.cancellation_deadline,
    passwordMinLength: settings.password_min_length,
    guestBooking: settings.allow_guest_booking,
    demo: config.demo,
    openDemo: config.openDemo,
    hipaaAttested: config.demo || config.hipaaAttested,
    debug: settings.debug_mode && ctx.actor.kind === 'person' && ctx.actor.role === 'super_admin',
    flags,
  };
}
