import { plainFirstName } from '#/features/attendees/rules.ts';
import { issueRequest } from '#/features/guest-booking/commands.ts';
import { requestPath } from '#/features/guest-booking/rules.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../rules.ts';
import { notification } from './notification.ts';
import { longTime, sessionTypeName, shortTime } from './session-times.ts';

export const bookingRequestNotifications = [
  notification({
    event: 'booking.requested',
    name: 'notifications.requested',
    sentWhenOff: 'guests need its link to book',
    // The token is stored nowhere else.
    async deliveries(tx, { requestId }, { site }) {
      const issued = await issueRequest(tx, requestId);
      if (!issued) return [];
      const { asked, email, expiresAt, token } = issued;
      const start = Temporal.Instant.from(asked.startsAt);
      const letter = requestLetter(
        {
          name: asked.contact.name,
          timeZone: asked.timeZone,
          sessionType: asked.sessionType,
          startsAt: start.epochMilliseconds,
          endsAt: start.add({ minutes: asked.durationMinutes }).epochMilliseconds,
          expiresAt,
          token,
        },
        site,
      );
      return [
        {
          key: `booking-request:${requestId}`,
          kind: 'booking_link',
          to: { email },
          letter,
          urgent: true,
          expiresAt: Temporal.Instant.fromEpochMilliseconds(expiresAt),
        },
      ];
    },
  }),
];

/** Instants are epoch milliseconds. */
interface RequestDetails {
  /** As typed; only the first name is shown. */
  name: string;
  timeZone: string;
  sessionType: SessionType;
  startsAt: number;
  endsAt: number;
  /** Confirmation deadline. */
  expiresAt: number;
  token: string;
}

/**
 * Composes the email with the booking link. Anyone may have typed the address, so the only user-written text is a first
 * name, and the email is the same whether or not the address has an account.
 */
function requestLetter(request: RequestDetails, site: MailSite): Letter {
  const { locale } = site;
  const { timeZone, startsAt, expiresAt } = request;
  return {
    subject: m.mail_asked_subject(
      { site: site.siteName, when: shortTime(startsAt, timeZone, locale) },
      { locale },
    ),
    name: plainFirstName(request.name),
    text: [m.mail_asked_text({}, { locale })],
    facts: [
      { label: m.mail_when({}, { locale }), value: longTime(request, timeZone, locale) },
      { label: m.mail_how({}, { locale }), value: sessionTypeName(request.sessionType, locale) },
      { label: m.mail_asked_until({}, { locale }), value: shortTime(expiresAt, timeZone, locale) },
    ],
    more: [m.mail_asked_keep({}, { locale })],
    action: { label: m.mail_asked_open({}, { locale }), url: `${site.appUrl}${requestPath(request.token)}` },
    note: m.mail_asked_note({}, { locale }),
  };
}
