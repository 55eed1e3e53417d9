import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';

/** The eight feature flags of the administrator spec, section 3. */
const flagIds = [
  'video_sessions',
  'group_sessions',
  'direct_messaging',
  'calendar_integration',
  'push_notifications',
  'two_factor_authentication',
  'mobile_app_access',
  'wellness_tracking',
] as const;

/** The identifier of a feature flag. */
export type FlagId = (typeof flagIds)[number];

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
  demo: z.boolean(),
  hipaaAttested: z.boolean(),
  /** The flags that are on for the person who asks. */
  flags: z.array(z.enum(flagIds)),
});

/** The site as every page may know it. */
export type PublicSite = z.infer<typeof publicSite>;

export const settingsContract = {
  site: procedure.meta({ access: 'public' }).route({ method: 'GET', path: '/site' }).output(publicSite),
};
