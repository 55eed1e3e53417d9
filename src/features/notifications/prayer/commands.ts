import { createHash } from 'node:crypto';
import { personsOf } from '#/features/accounts/queries.ts';
import { answerNotice, askedNotice } from '#/features/growth/prayers/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { prayerLetter } from './rules.ts';

/**
 * Mails the one counsellor who is asked to pray, for each client once a day at most; the pastors see what is shared with
 * them when they look.
 */
export async function mailPrayerAsked(ctx: Ctx, requestId: string, appUrl: string): Promise<void> {
  const notice = await askedNotice(ctx, requestId);
  if (!notice) return;
  const { clientId, counsellorId, askedAt } = notice;
  // A key outlives what was sent: it doesn't tell who asked.
  const asked = createHash('sha256').update(`${clientId}:${counsellorId}:${askedAt.slice(0, 10)}`);
  const key = `prayer-asked:${asked.digest('base64url')}:${counsellorId}`;
  await mailPerson(ctx, counsellorId, 'asked', key, appUrl);
}

/** Mails the client that somebody prayed, for each request once a day at most, unless it was taken back. */
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
  // A counsellor's name often says what they are.
  const letter = prayerLetter(news, news === 'asked' ? null : person.fullName, site);
  await sendMail(ctx, { key, kind: 'prayer', to: person.email, ...setLetter(letter, site) });
}
