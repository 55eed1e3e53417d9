import { z } from 'zod';
import { line, procedure } from '#/features/access/contract.ts';
import { flagIds } from './flags/contract.ts';

/** What every page may know of the site: no secret, nothing about persons. Hours and minutes as the settings store them. */
const publicSite = z.object({
  siteName: z.string(),
  siteDescription: z.string(),
  supportEmail: z.string(),
  /** Null: by mail alone. */
  supportPhone: z.string().nullable(),
  timeZone: z.string(),
  defaultSessionDuration: z.number().int(),
  bookingAdvanceNoticeHours: z.number().int(),
  cancellationDeadlineHours: z.number().int(),
  passwordMinLength: z.number().int(),
  /** Whether a session can be booked without an account, by a mailed link. */
  guestBooking: z.boolean(),
  demo: z.boolean(),
  /** Whether others than this machine can reach the demo, where anyone can sign in. */
  openDemo: z.boolean(),
  hipaaAttested: z.boolean(),
  /** Whether refusals are told with their number and closed reason; for administrators alone. */
  debug: z.boolean(),
  /** The flags that are on for the person who asks. */
  flags: z.array(z.enum(flagIds)),
});

/** The site as every page may know it. */
export type PublicSite = z.infer<typeof publicSite>;

/** The lowest and the highest value of each number, and how short and how long a text may be, in characters. */
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

/** What a setting that is a choice can be. */
const settingOptions = {
  calendarProvider: ['google', 'outlook', 'apple'],
  logLevel: ['error', 'warn', 'info', 'debug'],
  backupFrequency: ['hourly', 'daily', 'weekly', 'monthly'],
} as const;

export type SettingOptions = typeof settingOptions;

const text = ({ min, max }: { min: number; max: number }) => line.min(min).max(max);
const whole = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

/** The 23 site settings of the administrator spec, section 3; minutes, hours and characters as its section 9 gives them. */
const siteSettings = z.strictObject({
  siteName: text(settingBounds.siteName),
  siteDescription: text(settingBounds.siteDescription),
  supportEmail: text(settingBounds.supportEmail).pipe(z.email()),
  /** An IANA name; whether the runtime knows it is decided by the command. */
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

/** The name of a site setting, as the specification writes it. */
export type SettingId = keyof SiteSettings;

const settingValue = z.union([z.string(), z.number(), z.boolean()]);

/** One setting that was changed, from what to what. */
const settingChange = z.object({ setting: siteSettings.keyof(), from: settingValue, to: settingValue });

export type SettingChange = z.infer<typeof settingChange>;

/** One saving of the settings. */
const settingsEntry = z.object({
  /** The version that it made. */
  version: z.number().int(),
  at: z.iso.datetime(),
  kind: z.enum(['saved', 'reset']),
  /** Whether a person did it, or the program itself. */
  byPerson: z.boolean(),
  /** Null for the program, and for an account that is erased. */
  byId: z.uuid().nullable(),
  changes: z.array(settingChange),
});

export type SettingsEntry = z.infer<typeof settingsEntry>;

/** The settings as their form shows them, and by which saving they came to be; null where nobody has changed any. */
const adminSettings = z.object({
  version: z.number().int(),
  values: siteSettings,
  last: settingsEntry.nullable(),
});

export type AdminSettings = z.infer<typeof adminSettings>;

/** The version that the form was filled with: whoever saves on another one is refused, with conflict `settings_changed`. */
const version = z.int().min(1);

export const settingsContract = {
  site: procedure.meta({ access: 'public' }).route({ method: 'GET', path: '/site' }).output(publicSite),
  admin: procedure
    .meta({ access: ['manage_settings'] })
    .route({ method: 'GET', path: '/admin/settings' })
    .output(adminSettings),
  /** Changes what is named and leaves the rest. */
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
  /** Gives every setting its default value. */
  reset: procedure
    .meta({
      access: ['manage_settings'],
      writes: ['settings.reset system_settings'],
      example: () => ({ version: 1 }),
    })
    .route({ method: 'POST', path: '/admin/settings/reset' })
    .input(z.object({ version }))
    .output(adminSettings),
  /** Newest first; `before` is the version that the page before ended with. */
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
