import { offerNotice } from '#/features/waitlist/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { offerLetter } from './rules.ts';

/** Emails a time offer, unless it's gone. */
export async function mailOffer(ctx: Ctx, offerId: string, appUrl: string): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const offer = await offerNotice(ctx, offerId);
  if (!offer) return;
  const letter = offerLetter({ ...offer, endsAt: offer.startsAt + offer.durationMinutes * 60_000 }, site);
  await sendMail(ctx, {
    key: `offer:${offerId}:${offer.clientId}`,
    kind: 'waitlist_offer',
    to: offer.email,
    ...setLetter(letter, site),
    expiresAt: Temporal.Instant.fromEpochMilliseconds(Math.min(offer.deadline, offer.startsAt)),
  });
}
