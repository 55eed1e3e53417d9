import type { Selectable } from 'kysely';
import type { Role } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { FlagId, PublicSite } from './contract.ts';
import { flagsOn, type Flag } from './rules.ts';
import type { SiteSettingsTable } from './tables.ts';

/** The site settings as stored: read afresh each time, so that a change takes effect at once in every process. */
export async function siteSettings(ctx: Ctx): Promise<Selectable<SiteSettingsTable>> {
  return ctx.db.selectFrom('site_settings').selectAll().executeTakeFirstOrThrow();
}

/** What configuration, not settings, says of the site. */
export interface SiteConfig {
  demo: boolean;
  hipaaAttested: boolean;
  supportPhone: string | null;
}

/** The site as every page may know it, with the flags that are on for the actor. */
export async function publicSiteOf(ctx: Ctx, config: SiteConfig): Promise<PublicSite> {
  const [settings, flags] = await Promise.all([siteSettings(ctx), enabledFlags(ctx, roleOf(ctx))]);
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
    demo: config.demo,
    hipaaAttested: config.demo || config.hipaaAttested,
    flags,
  };
}

async function enabledFlags(ctx: Ctx, role: Role | null): Promise<FlagId[]> {
  return flagsOn(await flagRows(ctx).execute(), role);
}

/** The flags as a query, for statements that ask for more at once. */
export function flagRows(ctx: Ctx) {
  return ctx.db.selectFrom('feature_flags').select(['id', 'enabled', 'scope', 'roles']);
}

function roleOf({ actor }: Ctx): Role | null {
  return actor.kind === 'person' ? actor.role : null;
}

/** Refuses, as if it weren't there, what a flag has switched off for the role that offers or uses it. */
export function requireFlag(flags: readonly Flag[], flag: FlagId, role: Role): void {
  if (!flagsOn(flags, role).includes(flag)) {
    throw new AppError('not_found', 'feature_off', { data: { flag } });
  }
}
