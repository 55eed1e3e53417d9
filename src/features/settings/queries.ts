import type { Selectable } from 'kysely';
import { changesIn } from '#/features/audit/rules.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import type { OpenIdProvider } from '#/platform/openid-providers.ts';
import type { SamlProvider } from '#/platform/saml-providers.ts';
import type { SmsConfig } from '#/platform/sms-config.ts';
import type { AdminSettings, PublicSite, SettingsEntry } from './contract.ts';
import { flagsFor } from './flags/queries.ts';
import { bySetting, settings, type SiteSettings } from './rules.ts';
import type { SiteSettingsTable } from './tables.ts';

/** Reads settings without caching, so changes apply immediately in every process. */
export async function siteSettings(ctx: Ctx): Promise<Selectable<SiteSettingsTable>> {
  const [row] = await settingsRow(ctx.db, { id: true });
  return row!;
}

const columns = Object.values(settings).map(({ column }) => column);

/** The parameter lets the connection prepare it. */
const settingsRow = compiledOnce((db, { id }: { id: boolean }) =>
  db
    .selectFrom('site_settings')
    .where('id', '=', id)
    .select(['id', 'version', ...columns]),
);

export function valuesIn(row: Selectable<SiteSettingsTable>): SiteSettings {
  return bySetting((id) => row[settings[id].column]) as SiteSettings;
}

export async function adminSettings(ctx: Ctx): Promise<AdminSettings> {
  const [row, last] = [await siteSettings(ctx), await lastChange(ctx)];
  return { version: row.version, values: valuesIn(row), last };
}

export interface SiteConfig {
  demo: boolean;
  openDemo: boolean;
  hipaaAttested: boolean;
  supportPhone: string | null;
  openIdProviders: readonly OpenIdProvider[];
  samlProviders: readonly SamlProvider[];
  walletSignIn: boolean;
  sms: SmsConfig | null;
}

export async function publicSiteOf(ctx: Ctx, config: SiteConfig): Promise<PublicSite> {
  const [site, flags] = await Promise.all([siteSettings(ctx), flagsFor(ctx)]);
  return {
    siteName: site.site_name,
    siteDescription: site.site_description,
    supportEmail: site.support_email,
    supportPhone: config.supportPhone,
    timeZone: site.timezone,
    defaultSessionDuration: site.default_session_duration,
    bookingAdvanceNoticeHours: site.booking_advance_notice,
    cancellationDeadlineHours: site.cancellation_deadline,
    passwordMinLength: site.password_min_length,
    signInCode: site.sign_in_code,
    textedCode: site.sign_in_code && config.sms !== null,
    passkeys: site.passkeys,
    providers: [...config.openIdProviders, ...config.samlProviders].map(({ id, label, domains }) => ({
      id,
      label,
      domains: [...domains],
    })),
    walletSignIn: config.walletSignIn,
    guestBooking: site.allow_guest_booking,
    demo: config.demo,
    openDemo: config.openDemo,
    hipaaAttested: config.demo || config.hipaaAttested,
    debug: site.debug_mode && ctx.actor.kind === 'person' && ctx.actor.role === 'super_admin',
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

/** The latest save, or null before one. */
async function lastChange(ctx: Ctx): Promise<SettingsEntry | null> {
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
