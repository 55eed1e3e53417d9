import { isUnclaimed } from '#/features/accounts/rules.ts';
import { guestNotices, type GuestNotice } from '#/features/attendees/queries.ts';
import { plainFirstName } from '#/features/attendees/rules.ts';
import type { AppointmentNotice } from '#/features/appointments/notice/queries.ts';
import { calendarFile, type CalendarMethod } from '#/features/calendar/event/rules.ts';
import { sessionEvent, sessionFileName } from '#/features/calendar/session/rules.ts';
import { issueClaim } from '#/features/care/claims/commands.ts';
import { claimPath } from '#/features/care/claims/rules.ts';
import { hasRecord } from '#/features/care/clients/queries.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import type { MailAttachment } from '#/platform/mail/tables.ts';
import { addressDigest } from '#/platform/tokens.ts';
import type { Delivery } from '../channels/delivery.ts';
import type { MailSite } from '../rules.ts';
import { claimPart } from './client-invitations.ts';
import { sessionLetter, type SessionReader, type SessionTopic } from './session-letter.ts';

export type Party = SessionReader['party'];
export type Sessions = readonly [AppointmentNotice, ...AppointmentNotice[]];

export interface SessionRecipient extends GuestNotice {
  party: Party;
  /** The calendar file's alarm. */
  reminderMinutes: number | null;
  claimUrl?: string;
  /** No provider keeps their record anymore. */
  isWithoutRecord?: boolean;
  contactEmail?: string;
}

export function partyOf(session: AppointmentNotice, party: Party): SessionRecipient {
  return {
    ...session[party],
    party,
    reminderMinutes: party === 'client' ? session.reminderMinutes : null,
    ...(party === 'client' ? { contactEmail: session.client.contact.email } : {}),
  };
}

/** Returns a session's accepted guests. */
export async function guestsOf(ctx: Ctx, session: AppointmentNotice): Promise<SessionRecipient[]> {
  const guests = await guestNotices(ctx, session.id);
  return guests.map((guest) => ({ ...guest, party: 'client', reminderMinutes: null }));
}

/** Letters in a day to an address without an account: a specialist typed it. */
const perDay = 20;

/**
 * Resolves the address of a client record without an account: the invited address, with a claim link. After its
 * provider's account is erased, only cancellations are sent. Beyond the day's limit, the address is unreachable.
 */
export async function resolveAddress(
  tx: TxCtx,
  recipient: SessionRecipient,
  topic: SessionTopic,
  site: MailSite,
): Promise<SessionRecipient> {
  if (!isUnclaimed(recipient)) return recipient;
  const { id, contactEmail } = recipient;
  const claim = await issueClaim(tx, id);
  if (claim) {
    const within = await countAttempt(
      tx.db,
      `callers:${addressDigest(claim.email)}`,
      perDay,
      86_400,
      tx.now(),
    );
    const claimUrl = `${site.appUrl}${claimPath(claim.token)}`;
    return within ? { ...recipient, email: claim.email, claimUrl } : recipient;
  }
  const isWithoutRecord = topic === 'specialist_gone' && !(await hasRecord(tx, id));
  return isWithoutRecord && contactEmail ? { ...recipient, email: contactEmail, isWithoutRecord } : recipient;
}

export interface SessionTerms {
  site: MailSite;
  /** Key prefix; the recipient's ID follows. */
  key: string;
  /** Absent without calendar files. */
  method?: CalendarMethod;
  now: Temporal.Instant;
}

export function sessionDelivery(
  recipient: SessionRecipient,
  topic: SessionTopic,
  sessions: Sessions,
  terms: SessionTerms,
): Delivery & { attachments: readonly MailAttachment[] } {
  const { site, key, method } = terms;
  const [first, ...rest] = sessions;
  const { id, name, timeZone, party, claimUrl, isWithoutRecord } = recipient;
  const clientName = claimUrl || isWithoutRecord ? plainFirstName(name) : name;
  const letter = sessionLetter(
    topic,
    [detailsOf(first), ...rest.map(detailsOf)],
    { party, name: party === 'client' ? clientName : null, timeZone },
    site,
  );
  return {
    key: `${key}:${id}`,
    kind: topic === 'reminder' ? 'reminder' : 'session',
    to: recipient,
    letter: {
      ...letter,
      ...(claimUrl ? claimPart(claimUrl, site) : {}),
      ...(isWithoutRecord ? { more: [] } : {}),
    },
    attachments: method ? sessions.map((session) => sessionFile(session, recipient, method, terms)) : [],
    expiresAt: topic === 'reminder' ? first.startsAt : undefined,
  };
}

function detailsOf({ status, sessionType, startsAt, endsAt }: AppointmentNotice) {
  return {
    status,
    type: sessionType,
    startsAt: startsAt.epochMilliseconds,
    endsAt: endsAt.epochMilliseconds,
  };
}

/** Creates a session's calendar file: discreet wording, with the recipient as sole attendee. */
export function sessionFile(
  session: AppointmentNotice,
  { email, reminderMinutes }: SessionRecipient,
  method: CalendarMethod,
  { site, now }: SessionTerms,
): MailAttachment {
  const startsAt = session.startsAt.epochMilliseconds;
  const zone = session.provider.timeZone;
  const event = sessionEvent({
    appointmentId: session.id,
    sequence: session.sequence,
    status: session.status,
    serviceName: session.service.title,
    specialistName: session.provider.name,
    type: session.sessionType,
    startsAt,
    durationMinutes: (session.endsAt.epochMilliseconds - startsAt) / 60_000,
    zone,
    reminderMinutes,
    discreet: true,
    siteUrl: site.appUrl,
    supportEmail: site.supportEmail,
    attendees: [{ email }],
  });
  const file = calendarFile(event, { now: now.epochMilliseconds, method });
  if (!file.ok) throw new Error(`invalid invitation: ${file.problem}`);
  return {
    filename: sessionFileName({ startsAt, zone }),
    contentType: `text/calendar; charset=utf-8; method=${method}`,
    content: file.content,
  };
}
