import { personsOf } from '#/features/accounts/queries.ts';
import { answerNotice, askedNotice } from '#/features/growth/prayers/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { digest } from '#/platform/tokens.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { prayerLetter } from './rules.ts';

/** Emails the counselor asked to pray, at most daily per client. Pastors see shared requests on the site instead. */
export async function mailPrayerAsked(ctx: Ctx, requestId: string, appUrl: string): Promise<void> {
  const notice = await askedNotice(ctx, requestId);
  if (!notice) return;
  const { clientId, counsellorId, askedAt } = notice;
  // Keys outlive sent emails, so hash the client ID.
  const asked = digest(`${clientId}:${counsellorId}:${askedAt.slice(0, 10)}`);
  const key = `prayer-asked:${asked}:${counsellorId}`;
  await mailPerson(ctx, counsellorId, 'asked', key, appUrl);
}

/** Emails the client about a prayer, at most daily per request, unless it was withdrawn. */
export async function mailPrayed(ctx: Ctx, answerId: string, appUrl: string): Promise<void> {
  const notice = await answerNotice(ctx, answerId);
  if (!notice) return;
  const day = ctx.now().toString().slice(0, 10);
  await mailPerson(ctx, notice.clientId, 'prayed', `prayed:${notice.requestId}:${day}`, appUrl);
}

async function mailPerson(
  ctx: Ctx,
  personId: string,
  news: 'asked' | 'prayed',
  key: string,
  appUrl: string,
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const person = (await personsOf(ctx, [personId])).get(personId);
  if (!person) return;
  // Counselors' names often reveal their profession.
  const letter = prayerLetter(news, news === 'asked' ? null : person.fullName, site);
  await sendMail(ctx, { key, kind: 'prayer', to: person.email, ...setLetter(letter, site) });
}
