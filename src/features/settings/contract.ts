import { z } from 'zod';
import { line, procedure } from '#/features/access/contract.ts';
import { flagIds } from './flags/contract.ts';

/** Public: no secrets or personal data. */
const publicSite = z.object({
  siteName: z.string(),
  siteDescription: z.string(),
  supportEmail: z.string(),
  supportPhone: z.string().nullable(),
  timeZone: z.string(),
  defaultSessionDuration: z.number().int(),
  bookingAdvanceNoticeHours: z.number().int(),
  cancellationDeadlineHours: z.number().int(),
  passwordMinLength: z.number().int(),
  guestBooking: z.boolean(),
  demo: z.boolean(),
  /** The demo, where anyone can sign in, is reachable from other machines. */
  openDemo: z.boolean(),
  hipaaAttested: z.boolean(),
  debug: z.boolean(),
  flags: z.array(z.enum(flagIds)),
});

export type PublicSite = z.infer<typeof publicSite>;

/** Value limits, or text lengths in characters. */
const settingBounds = {
  siteName: { min: 1, max: 80 },
  siteDescription: { min: 1, max: 300 },
  supportEmail: { min: 3, max: 254 },
  defaultSessionDuration: { min: 15, max: 240 },
  bookingAdvanceNotice: { min: 0, max: 720 },
  cancellationDeadline: { min: 0, max: 168 },
  maxDailyBookings: { min: 1, max: 100 },
  reminderTime: { min: 5, max: 10_080 },
  sessionTimeout: { min: 5, max: 1_440 },
  passwordMinLength: { min: 6, max: 64 },
  bufferTimeMinutes: { min: 0, max: 120 },
} as const;

export type SettingBounds = typeof settingBounds;

const settingOptions = {
  calendarProvider: ['google', 'outlook', 'apple'],
  logLevel: ['error', 'warn', 'info', 'debug'],
  backupFrequency: ['hourly', 'daily', 'weekly', 'monthly'],
} as const;

export type SettingOptions = typeof settingOptions;

const text = ({ min, max }: { min: number; max: number }) => line.min(min).max(max);
const whole = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

/** The administrator spec's 23 site settings (section 3), with units from section 9. */
const siteSettings = z.strictObject({
  siteName: text(settingBounds.siteName),
  siteDescription: text(settingBounds.siteDescription),
  supportEmail: text(settingBounds.supportEmail).pipe(z.email()),
  /** IANA name, validated by the command. */
  timezone: z.string().regex(/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/),
  defaultSessionDuration: whole(settingBounds.defaultSessionDuration),
  bookingAdvanceNotice: whole(settingBounds.bookingAdvanceNotice),
  cancellationDeadline: whole(settingBounds.cancellationDeadline),
  maxDailyBookings: whole(settingBounds.maxDailyBookings),
  emailNotifications: z.boolean(),
  smsNotifications: z.boolean(),
  pushNotifications: z.boolean(),
  reminderTime: whole(settingBounds.reminderTime),
  sessionTimeout: whole(settingBounds.sessionTimeout),
  passwordMinLength: whole(settingBounds.passwordMinLength),
  requireTwoFactor: z.boolean(),
  allowGuestBooking: z.boolean(),
  calendarProvider: z.enum(settingOptions.calendarProvider),
  autoSyncEnabled: z.boolean(),
  bufferTimeMinutes: whole(settingBounds.bufferTimeMinutes),
  maintenanceMode: z.boolean(),
  debugMode: z.boolean(),
  logLevel: z.enum(settingOptions.logLevel),
  backupFrequency: z.enum(settingOptions.backupFrequency),
});

export type SiteSettings = z.infer<typeof siteSettings>;

export type SettingId = keyof SiteSettings;

const settingValue = z.union([z.string(), z.number(), z.boolean()]);

const settingChange = z.object({ setting: siteSettings.keyof(), from: settingValue, to: settingValue });

export type SettingChange = z.infer<typeof settingChange>;

const settingsEntry = z.object({
  version: z.number().int(),
  at: z.iso.datetime(),
  kind: z.enum(['saved', 'reset']),
  /** False for the program's own changes. */
  byPerson: z.boolean(),
  /** Null for the program and erased accounts. */
  byId: z.uuid().nullable(),
  changes: z.array(settingChange),
});

export type SettingsEntry = z.infer<typeof settingsEntry>;

/** `last` is null for untouched settings. */
const adminSettings = z.object({
  version: z.number().int(),
  values: siteSettings,
  last: settingsEntry.nullable(),
});

export type AdminSettings = z.infer<typeof adminSettings>;

/** Saving over another version throws `settings_changed`. */
const version = z.int().min(1);

export const settingsContract = {
  site: procedure.meta({ access: 'public' }).route({ method: 'GET', path: '/site' }).output(publicSite),
  admin: procedure
    .meta({ access: ['manage_settings'] })
    .route({ method: 'GET', path: '/admin/settings' })
    .output(adminSettings),
  save: procedure
    .meta({
      access: ['manage_settings'],
      writes: ['settings.changed system_settings'],
      example: () => ({
        version: 1,
        change: {
          siteName: 'Cedar House',
          siteDescription: 'A quiet place',
          supportEmail: 'help@cedar.example',
          timezone: 'America/Chicago',
          defaultSessionDuration: 60,
          bookingAdvanceNotice: 24,
          cancellationDeadline: 2,
          maxDailyBookings: 8,
          emailNotifications: true,
          smsNotifications: false,
          pushNotifications: true,
          reminderTime: 60,
          sessionTimeout: 30,
          passwordMinLength: 8,
          requireTwoFactor: false,
          allowGuestBooking: false,
          calendarProvider: 'google',
          autoSyncEnabled: true,
          bufferTimeMinutes: 15,
          maintenanceMode: false,
          debugMode: false,
          logLevel: 'info',
          backupFrequency: 'daily',
        },
      }),
    })
    .route({ method: 'POST', path: '/admin/settings' })
    .input(z.object({ version, change: siteSettings.partial() }))
    .output(adminSettings),
  reset: procedure
    .meta({
      access: ['manage_settings'],
      writes: ['settings.reset system_settings'],
      example: () => ({ version: 1 }),
    })
    .route({ method: 'POST', path: '/admin/settings/reset' })
    .input(z.object({ version }))
    .output(adminSettings),
  /** Newest first; `before` is the last version on the previous page. */
  history: procedure
    .meta({ access: ['manage_settings'], example: () => ({ before: 7 }) })
    .route({ method: 'GET', path: '/admin/settings/history' })
    .input(z.object({ before: z.coerce.number().int().min(1).max(999_999_999).optional() }))
    .output(z.object({ entries: z.array(settingsEntry), more: z.boolean() })),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    settings: typeof settingsContract;
  }
}
