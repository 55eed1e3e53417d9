import { guestNotices, type GuestNotice } from '#/features/attendees/queries.ts';
import { takeDueReminder } from '#/features/appointments/reminders/commands.ts';
import {
  appointmentNotice,
  appointmentNotices,
  bookingNotices,
  type AppointmentNotice,
} from '#/features/appointments/notice/queries.ts';
import { holdsTime, type Side } from '#/features/appointments/life-cycle/rules.ts';
import { calendarFile, type CalendarMethod } from '#/features/calendar/event/rules.ts';
import { sessionEvent, sessionFileName } from '#/features/calendar/session/rules.ts';
import { isUnclaimed } from '#/features/accounts/unclaimed/rules.ts';
import { plainFirstName } from '#/features/attendees/rules.ts';
import { issueClaim } from '#/features/care/claims/commands.ts';
import { claimPath } from '#/features/care/claims/rules.ts';
import { hasRecord, isRecordOf } from '#/features/care/records/queries.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail, type Mail } from '#/platform/mail/mail.ts';
import type { MailAttachment } from '#/platform/mail/tables.ts';
import { invitationPart } from '../caller/rules.ts';
import { setLetter, type MailSite } from '../letter/rules.ts';
import { mailSite, wantsReminders } from '../queries.ts';
import { sessionLetter, type SessionNews, type SessionReader } from './rules.ts';

/** Triggering event; its ID deduplicates retries. */
interface Cause {
  eventId: string;
  appUrl: string;
}

type Party = SessionReader['party'];
type Change = 'confirmed' | 'declined' | 'cancelled' | 'expired' | 'rescheduled';
type Sessions = readonly [AppointmentNotice, ...AppointmentNotice[]];

/** Emails both parties of a new booking, with a calendar invitation per session. */
export async function mailBooking(
  ctx: Ctx,
  { bookingId, by }: { bookingId: string; by: Party },
  { eventId, appUrl }: Cause,
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  // Sessions canceled since have their own email.
  const [first, ...rest] = (await bookingNotices(ctx, bookingId)).filter(({ status }) => holdsTime(status));
  if (!first) return;
  const news = by === 'provider' ? 'booked_for' : 'booked';
  const terms = { site, key: eventId, method: 'REQUEST' } as const;
  // Clients the provider added with this booking learn of it from their invitation.
  const parties = (await isRecordOf(ctx, bookingId)) ? (['provider'] as const) : bothParties;
  await mailParties(ctx, news, [first, ...rest], terms, parties);
}

/** Emails both parties and guests about a session change, and updates their calendars. */
export async function mailChange(
  ctx: Ctx,
  { appointmentId, change, by }: { appointmentId: string; change: Change; by: Side | null },
  { eventId, appUrl }: Cause,
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const session = await appointmentNotice(ctx, appointmentId);
  const calledOff = change === 'cancelled' || change === 'declined' || change === 'expired';
  // A late email would restore a canceled session in calendars.
  if (!calledOff && !holdsTime(session.status)) return;
  const terms: MailTerms = { site, key: eventId, method: calledOff ? 'CANCEL' : 'REQUEST' };
  const forBoth = by === 'administrator' && (change === 'cancelled' || change === 'rescheduled');
  await mailParties(ctx, forBoth ? `${change}_for_both` : change, [session], terms);
  // Guests don't learn who canceled or why.
  const news = calledOff ? 'cancelled' : change;
  for (const guest of await guestNotices(ctx, appointmentId)) {
    await sendMail(ctx, mailTo(readerOf(guest), news, [session], terms, ctx.now()));
  }
}

/** Emails both parties and guests one list of canceled or rescheduled series sessions. */
export async function mailSeriesChange(
  ctx: Ctx,
  { appointmentIds, change }: { appointmentIds: readonly string[]; change: 'cancelled' | 'rescheduled' },
  { eventId, appUrl }: Cause,
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  // Sessions changed again since have their own email.
  const sessions = (await appointmentNotices(ctx, appointmentIds)).filter(
    ({ status }) => holdsTime(status) === (change === 'rescheduled'),
  );
  const terms: MailTerms = {
    site,
    key: eventId,
    method: change === 'cancelled' ? 'CANCEL' : 'REQUEST',
  };
  const [first, ...rest] = sessions;
  if (!first) return;
  await mailParties(ctx, change, [first, ...rest], terms);
  const invited = new Map<
    string,
    { guest: GuestNotice; sessions: [AppointmentNotice, ...AppointmentNotice[]] }
  >();
  for (const session of sessions) {
    for (const guest of await guestNotices(ctx, session.id)) {
      const known = invited.get(guest.id);
      if (known) known.sessions.push(session);
      else invited.set(guest.id, { guest, sessions: [session] });
    }
  }
  for (const { guest, sessions: theirs } of invited.values()) {
    await sendMail(ctx, mailTo(readerOf(guest), change, theirs, terms, ctx.now()));
  }
}

/** Emails a due reminder once: claiming it and writing the email share a transaction. */
export async function mailReminder(ctx: Ctx, reminderId: string, appUrl: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const reminder = await takeDueReminder(tx, reminderId);
    if (!reminder) return;
    const site = await mailSite(tx, appUrl);
    if (!(await wantsReminders(tx, reminder.personId))) return;
    const session = await appointmentNotice(tx, reminder.appointmentId);
    const guests = await guestNotices(tx, session.id);
    const reader = [partyOf(session, 'client'), partyOf(session, 'provider'), ...guests.map(readerOf)].find(
      ({ id }) => id === reminder.personId,
    );
    // Guests removed since get no reminder.
    if (!reader) return;
    const terms = { site, key: `reminder:${reminderId}` };
    await sendMail(
      tx,
      mailTo(await reached(tx, reader, 'reminder', site), 'reminder', [session], terms, tx.now()),
    );
  });
}

const settledAtOnce = 20;

/**
 * Emails everyone affected when a provider's sessions are canceled or reassigned: clients (canceled and reassigned
 * separately), new provider, previous provider and guests. Updates calendars too.
 */
export async function mailSettled(
  ctx: Ctx,
  { sessions }: { sessions: readonly { id: string; to: string | null }[] },
  { eventId, appUrl }: Cause,
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const now = ctx.now();
  const settled: { ended: AppointmentNotice; begun: AppointmentNotice | null }[] = [];
  for (const { id, to } of sessions) {
    const begun = to === null ? null : await appointmentNotice(ctx, to);
    settled.push({ ended: await appointmentNotice(ctx, id), begun });
  }
  const send = async (
    news: SessionNews,
    party: Party,
    some: readonly { ended?: AppointmentNotice; shown: AppointmentNotice; method: CalendarMethod }[],
  ) => {
    const people = Map.groupBy(some, ({ shown }) => shown[party].id);
    for (const own of people.values()) {
      for (let from = 0; from < own.length; from += settledAtOnce) {
        const [first, ...rest] = own.slice(from, from + settledAtOnce);
        const shown: Sessions = [first!.shown, ...rest.map((one) => one.shown)];
        const reader = partyOf(first!.shown, party);
        const terms = { site, key: `${eventId}:${news}:${from}`, method: first!.method };
        const mail = mailTo(reader, news, shown, terms, now);
        const gone = [first!, ...rest].flatMap(({ ended }) => ended ?? []);
        const files = gone.map((one) => invitation(one, reader, 'CANCEL', site, now));
        await sendMail(ctx, { ...mail, attachments: [...files, ...(mail.attachments ?? [])] });
      }
    }
  };
  const cancelled = settled.filter(({ begun }) => begun === null).map(({ ended }) => ended);
  // Reassigned sessions canceled since have their own email.
  const moved = settled.flatMap(({ ended, begun }) =>
    begun && holdsTime(begun.status) ? { ended, shown: begun, method: 'REQUEST' as const } : [],
  );
  const ended = (shown: AppointmentNotice) => ({ shown, method: 'CANCEL' as const });
  await send('specialist_gone', 'client', cancelled.map(ended));
  await send('reassigned', 'client', moved);
  await send(
    'assigned',
    'provider',
    moved.map(({ shown, method }) => ({ shown, method })),
  );
  await send(
    'handed_over',
    'provider',
    settled.map((one) => ended(one.ended)),
  );
  for (const session of cancelled) {
    const terms: MailTerms = { site, key: `${eventId}:${session.id}`, method: 'CANCEL' };
    for (const guest of await guestNotices(ctx, session.id))
      await sendMail(ctx, mailTo(readerOf(guest), 'cancelled', [session], terms, now));
  }
}

interface MailTerms {
  site: MailSite;
  key: string;
  method?: CalendarMethod;
}

const bothParties = ['client', 'provider'] as const;

async function mailParties(
  ctx: Ctx,
  news: SessionNews,
  sessions: Sessions,
  terms: MailTerms,
  parties: readonly Party[] = bothParties,
): Promise<void> {
  await transact(ctx, async (tx) => {
    for (const party of parties) {
      const reader = await reached(tx, partyOf(sessions[0], party), news, terms.site);
      await sendMail(tx, mailTo(reader, news, sessions, terms, tx.now()));
    }
  });
}

/**
 * Resolves the address of a client record without an account: the invited address, with a claim link. After its
 * provider's account is erased, only cancellations are sent.
 */
async function reached(tx: TxCtx, reader: Reader, news: SessionNews, site: MailSite): Promise<Reader> {
  if (!isUnclaimed(reader)) return reader;
  const claim = await issueClaim(tx, reader.id);
  if (claim) return { ...reader, email: claim.email, claimUrl: `${site.appUrl}${claimPath(claim.token)}` };
  const left = news === 'cancelled' && !(await hasRecord(tx, reader.id));
  return left && reader.contactEmail ? { ...reader, email: reader.contactEmail, leftAlone: true } : reader;
}

interface Reader extends GuestNotice {
  party: Party;
  /** Personal reminder, added to the calendar file as an alarm. */
  reminderMinutes: number | null;
  claimUrl?: string;
  /** No provider keeps their record anymore. */
  leftAlone?: boolean;
  contactEmail?: string;
}

function partyOf(session: AppointmentNotice, party: Party): Reader {
  return {
    ...session[party],
    party,
    reminderMinutes: party === 'client' ? session.reminderMinutes : null,
    ...(party === 'client' ? { contactEmail: session.client.contact.email } : {}),
  };
}

function readerOf(guest: GuestNotice): Reader {
  return { ...guest, party: 'client', reminderMinutes: null };
}

function mailTo(
  reader: Reader,
  news: SessionNews,
  sessions: Sessions,
  terms: MailTerms,
  now: Temporal.Instant,
): Mail {
  const { site, key, method } = terms;
  const [first] = sessions;
  const { id, name, email, timeZone, party, claimUrl, leftAlone } = reader;
  const letter = sessionLetter(
    news,
    [mailed(first), ...sessions.slice(1).map(mailed)],
    {
      party,
      name: party === 'client' ? (claimUrl || leftAlone ? plainFirstName(name) : name) : null,
      timeZone,
    },
    site,
  );
  const attachments = method ? sessions.map((session) => invitation(session, reader, method, site, now)) : [];
  const wanted = {
    ...letter,
    ...(claimUrl ? invitationPart(claimUrl, site) : {}),
    ...(leftAlone ? { more: [] } : {}),
  };
  return {
    key: `${key}:${id}`,
    kind: news === 'reminder' ? 'reminder' : 'session',
    to: email,
    ...setLetter(wanted, site),
    attachments,
    expiresAt: news === 'reminder' ? first.startsAt : undefined,
  };
}

function mailed({ status, sessionType, startsAt, endsAt }: AppointmentNotice) {
  return {
    status,
    type: sessionType,
    startsAt: startsAt.epochMilliseconds,
    endsAt: endsAt.epochMilliseconds,
  };
}

/** Creates a session's calendar file: discreet wording, with the reader as sole attendee. */
function invitation(
  session: AppointmentNotice,
  { email, reminderMinutes }: Reader,
  method: CalendarMethod,
  site: MailSite,
  now: Temporal.Instant,
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
  if (!file.ok) throw new Error(`an invitation can’t be written: ${file.problem}`);
  return {
    filename: sessionFileName({ startsAt, zone }),
    contentType: `text/calendar; charset=utf-8; method=${method}`,
    content: file.content,
  };
}
