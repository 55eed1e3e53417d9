import type { Selectable } from 'kysely';
import { changesIn } from '#/features/audit/rules.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { AdminSettings, PublicSite, SettingId, SettingsEntry, SiteSettings } from './contract.ts';
import { flagsFor } from './flags/queries.ts';
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

/** Saves per page of the history. */
const pageSize = 20;

/** Lists saves before a version, newest first. */
export async function settingsHistory(
  ctx: Ctx,
  { before }: { before?: number | undefined },
): Promise<{ entries: SettingsEntry[]; more: boolean }> {
  const entries = await entriesBefore(ctx, before, pageSize + 1);
  return { entries: entries.slice(0, pageSize), more: entries.length > pageSize };
}

/** Returns the latest save, or null for untouched settings. */
async function lastSaving(ctx: Ctx): Promise<SettingsEntry | null> {
  const [last = null] = await entriesBefore(ctx, undefined, 1);
  return last;
}

export async function changesAt(
  ctx: Ctx,
  versions: readonly number[],
): Promise<Map<number, Record<string, string>>> {
  if (versions.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('site_settings_history')
    .select(['version', 'changes'])
    .where('version', 'in', versions)
    .execute();
  return new Map(
    rows.map(({ version, changes }) => [
      version,
      Object.fromEntries(
        changes.flatMap((one) =>
          Object.entries(changesIn({ [one.setting]: one.from }, { [one.setting]: one.to })),
        ),
      ),
    ]),
  );
}

async function entriesBefore(ctx: Ctx, before: number | undefined, limit: number): Promise<SettingsEntry[]> {
  const rows = await ctx.db
    .selectFrom('site_settings_history')
    .selectAll()
    .$if(before !== undefined, (query) => query.where('version', '<', before!))
    .orderBy('version', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ version, changed_at, kind, actor_kind, changed_by, changes }) => ({
    version,
    at: isoOf(changed_at),
    kind,
    byPerson: actor_kind === 'person',
    byId: changed_by,
    changes,
  }));
}
