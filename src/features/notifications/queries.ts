import { isoOf } from '#/kernel/iso.ts';
import type { Viewer } from '#/features/accounts/contract.ts';
import { personsOf } from '#/features/accounts/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { contentOf, subjectOf } from '#/platform/mail/sealing.ts';
import { baseLocale } from '#/texts/runtime.js';
import type { OpenedMail, TrayMail } from './contract.ts';
import type { MailSite } from './rules.ts';

/** Site details for emails, and whether notifications are on. */
export async function mailSettings(ctx: Ctx, appUrl: string): Promise<{ site: MailSite; isOn: boolean }> {
  const settings = await siteSettings(ctx);
  const { site_name: siteName, support_email: supportEmail } = settings;
  return { site: { appUrl, siteName, supportEmail, locale: baseLocale }, isOn: settings.email_notifications };
}

/** The name that emails are from. */
export async function senderName(ctx: Ctx): Promise<string> {
  return (await siteSettings(ctx)).site_name;
}

/** Returns a person, unless their account is gone. */
export async function findPerson(ctx: Ctx, id: string): Promise<Viewer | undefined> {
  return (await personsOf(ctx, [id])).get(id);
}

/** Whether the person wants session reminders. */
export async function wantsReminders(ctx: Ctx, personId: string): Promise<boolean> {
  const profile = await ctx.db
    .selectFrom('profiles')
    .select('session_reminders')
    .where('id', '=', personId)
    .executeTakeFirst();
  return profile?.session_reminders ?? false;
}

export async function trayMails(ctx: Ctx, limit: number): Promise<TrayMail[]> {
  const rows = await ctx.db
    .selectFrom('mails')
    .select(['id', 'recipient', 'subject', 'sealed_subject', 'created_at'])
    .where('sent_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    recipient: row.recipient,
    subject: subjectOf(ctx, row),
    writtenAt: isoOf(row.created_at),
  }));
}

/** An email in the tray, or null. */
export async function mailInTray(ctx: Ctx, id: string): Promise<OpenedMail | null> {
  const row = await ctx.db
    .selectFrom('mails')
    .selectAll()
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const { subject, text, html, attachments } = contentOf(ctx, row);
  return {
    id,
    recipient: row.recipient,
    subject,
    writtenAt: isoOf(row.created_at),
    text,
    html,
    attachments: [...attachments],
  };
}
