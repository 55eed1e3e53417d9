import { offerNotice } from '#/features/waitlist/queries.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../rules.ts';
import { notification } from './notification.ts';
import { longTime, sessionTypeName, shortTime } from './session-times.ts';

export const waitlistNotifications = [
  notification({
    event: 'waitlist.offered',
    name: 'notifications.offer',
    async deliveries(tx, { offerId }, { site }) {
      const offer = await offerNotice(tx, offerId);
      if (!offer) return [];
      const endsAt = offer.startsAt + offer.durationMinutes * 60_000;
      return [
        {
          key: `offer:${offerId}:${offer.clientId}`,
          kind: 'waitlist_offer',
          to: { id: offer.clientId, email: offer.email },
          letter: offerLetter({ ...offer, endsAt }, site),
          expiresAt: Temporal.Instant.fromEpochMilliseconds(Math.min(offer.deadline, offer.startsAt)),
        },
      ];
    },
  }),
];

/** Instants are epoch milliseconds. */
interface OfferDetails {
  name: string;
  timeZone: string;
  sessionType: SessionType;
  startsAt: number;
  endsAt: number;
  deadline: number;
  /** Whether accepting moves an existing appointment. */
  moves: boolean;
}

/** Leaves out provider and concern. Opening its link doesn't accept the offer. */
function offerLetter(offer: OfferDetails, site: MailSite): Letter {
  const { locale } = site;
  const { name, timeZone, startsAt, deadline, moves } = offer;
  return {
    subject: m.mail_offer_subject(
      { site: site.siteName, when: shortTime(startsAt, timeZone, locale) },
      { locale },
    ),
    name,
    text: [m.mail_offer_text({}, { locale }), ...(moves ? [m.mail_offer_text_move({}, { locale })] : [])],
    facts: [
      { label: m.mail_when({}, { locale }), value: longTime(offer, timeZone, locale) },
      { label: m.mail_how({}, { locale }), value: sessionTypeName(offer.sessionType, locale) },
      { label: m.mail_offer_until({}, { locale }), value: shortTime(deadline, timeZone, locale) },
    ],
    more: [m.mail_offer_note({}, { locale }), m.mail_private({}, { locale })],
    action: { label: m.mail_offer_open({}, { locale }), url: `${site.appUrl}/home` },
  };
}
