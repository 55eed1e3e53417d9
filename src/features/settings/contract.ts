import { z } from 'zod';
import { line, procedure, uuid } from '#/features/access/contract.ts';
import { flagIds } from './flags/contract.ts';
import { bySetting, settingDefaults, settings, type SettingId, type SiteSettings } from './rules.ts';

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
  signInCode: z.boolean(),
  textedCode: z.boolean(),
  passkeys: z.boolean(),
  /** Other providers that people can sign in with. */
  providers: z.array(z.object({ id: z.string(), label: z.string(), domains: z.array(z.string()) })),
  walletSignIn: z.boolean(),
  guestBooking: z.boolean(),
  demo: z.boolean(),
  /** Other machines can reach this demo, and anyone can sign in. */
  openDemo: z.boolean(),
  hipaaAttested: z.boolean(),
  debug: z.boolean(),
  flags: z.array(z.enum(flagIds)),
});

export type PublicSite = z.infer<typeof publicSite>;

function schemaOf(setting: (typeof settings)[SettingId]): z.ZodType {
  switch (setting.kind) {
    case 'text':
      return line.min(setting.min).max(setting.max);
    case 'email':
      return line.min(setting.min).max(setting.max).check(z.email());
    case 'zone':
      return z.string().regex(/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/);
    case 'number':
      return z.number().int().min(setting.min).max(setting.max);
    case 'switch':
      return z.boolean();
    case 'choice':
      return z.enum(setting.options);
  }
}

const siteSettings = z.strictObject(
  bySetting((id) => schemaOf(settings[id])) as { [Id in SettingId]: z.ZodType<SiteSettings[Id]> },
);

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
  byId: uuid.nullable(),
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
          ...settingDefaults,
          siteName: 'Cedar House',
          siteDescription: 'A quiet place',
          supportEmail: 'help@cedar.example',
          timezone: 'America/Chicago',
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
