import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { baseLocale } from '#/texts/runtime.js';
import type { MailSite } from './session/rules.ts';

/** What every mail says of the site, and whether the site writes mails about sessions. */
export async function mailSite(ctx: Ctx, appUrl: string): Promise<MailSite & { sessionMails: boolean }> {
  const settings = await siteSettings(ctx);
  return {
    appUrl,
    supportEmail: settings.support_email,
    locale: baseLocale,
    sessionMails: settings.email_notifications,
  };
}
