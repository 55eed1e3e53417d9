import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';
import { longTime, sessionTypeWords, shortTime } from '../session/rules.ts';

/** Instants are epoch milliseconds. */
export interface MailedOffer {
  name: string;
  timeZone: string;
  sessionType: SessionType;
  startsAt: number;
  endsAt: number;
  deadline: number;
  /** Whether accepting moves an existing appointment. */
  moves: boolean;
}

/** Composes the offer email, without provider or concern. Opening its link doesn't accept the offer. */
export function offerLetter(offer: MailedOffer, site: MailSite): Letter {
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
      { label: m.mail_how({}, { locale }), value: sessionTypeWords(offer.sessionType, locale) },
      { label: m.mail_offer_until({}, { locale }), value: shortTime(deadline, timeZone, locale) },
    ],
    more: [m.mail_offer_note({}, { locale }), m.mail_private({}, { locale })],
    action: { label: m.mail_offer_open({}, { locale }), url: `${site.appUrl}/home` },
  };
}
