import { guestNotices, type GuestNotice } from '#/features/booking/guests/queries.ts';
import { takeDueReminder } from '#/features/booking/reminders/commands.ts';
import {
  appointmentNotice,
  bookingNotices,
  type AppointmentNotice,
} from '#/features/booking/notice/queries.ts';
import { holdsTime, type Side } from '#/features/booking/life-cycle/rules.ts';
import { calendarFile, type CalendarMethod } from '#/features/calendar/event/rules.ts';
import { sessionEvent, sessionFileName } from '#/features/calendar/session/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail, type Mail } from '#/platform/mail/mail.ts';
import type { MailAttachment } from '#/platform/mail/tables.ts';
import { setLetter, type MailSite } from '../letter/rules.ts';
import { mailSite, wantsReminders } from '../queries.ts';
import { sessionLetter, type SessionNews, type SessionReader } from './rules.ts';

/** The event that a mail answers; its id makes the mail one, however often the job runs. */
interface Cause {
  eventId: string;
  appUrl: string;
}

type Party = SessionReader['party'];
type Change = 'confirmed' | 'declined' | 'cancelled' | 'expired' | 'rescheduled';
type Sessions = readonly [AppointmentNotice, ...AppointmentNotice[]];

/** Mails both parties of a new booking, with a calendar invitation for each of its sessions. */
export async function mailBooking(
  ctx: Ctx,
  { bookingId, by }: { bookingId: string; by: Party },
  { eventId, appUrl }: Cause,
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  // What was called off meanwhile has its own mail.
  const [first, ...rest] = (await bookingNotices(ctx, bookingId)).filter(({ status }) => holdsTime(status));
  const news = by === 'provider' ? 'booked_for' : 'booked';
  if (first) await mailBoth(ctx, news, [first, ...rest], { site, key: eventId, method: 'REQUEST' });
}

/**
 * Mails both parties, and those who were invited to it, that a session was confirmed, declined, cancelled, moved or left
 * unanswered, and brings their calendars up to date.
 */
export async function mailChange(
  ctx: Ctx,
  { appointmentId, change, by }: { appointmentId: string; change: Change; by: Side | null },
  { eventId, appUrl }: Cause,
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const session = await appointmentNotice(ctx, appointmentId);
  const calledOff = change === 'cancelled' || change === 'declined' || change === 'expired';
  // A mail that comes after the session was called off would bring it back into the calendars.
  if (!calledOff && !holdsTime(session.status)) return;
  const terms: MailTerms = { site, key: eventId, method: calledOff ? 'CANCEL' : 'REQUEST' };
  const forBoth = by === 'administrator' && (change === 'cancelled' || change === 'rescheduled');
  await mailBoth(ctx, forBoth ? `${change}_for_both` : change, [session], terms);
  // Who cancelled it, and why, is between the two.
  const news = calledOff ? 'cancelled' : change;
  for (const guest of await guestNotices(ctx, appointmentId)) {
    await sendMail(ctx, mailTo(readerOf(guest), news, [session], terms, ctx.now()));
  }
}

/** Mails a reminder that is due, once: it is claimed in the transaction that writes the mail. */
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
    // Whoever left meanwhile is reminded no more.
    if (!reader) return;
    const terms = { site, key: `reminder:${reminderId}` };
    await sendMail(tx, mailTo(reader, 'reminder', [session], terms, tx.now()));
  });
}

interface MailTerms {
  site: MailSite;
  key: string;
  /** Without it no calendar file goes along. */
  method?: CalendarMethod;
}

async function mailBoth(ctx: Ctx, news: SessionNews, sessions: Sessions, terms: MailTerms): Promise<void> {
  const now = ctx.now();
  await sendMail(
    ctx,
    mailTo(partyOf(sessions[0], 'client'), news, sessions, terms, now),
    mailTo(partyOf(sessions[0], 'provider'), news, sessions, terms, now),
  );
}

/** Who gets a mail: a party, or a guest. */
interface Reader extends GuestNotice {
  party: Party;
  /** Alarms that the person chose for themselves go into their calendar. */
  reminderMinutes: number | null;
}

function partyOf(session: AppointmentNotice, party: Party): Reader {
  return {
    ...session[party],
    party,
    reminderMinutes: party === 'client' ? session.reminderMinutes : null,
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
  const { id, name, email, timeZone, party } = reader;
  const letter = sessionLetter(
    news,
    [mailed(first), ...sessions.slice(1).map(mailed)],
    { party, name: party === 'client' ? name : null, timeZone },
    site,
  );
  const attachments = method ? sessions.map((session) => invitation(session, reader, method, site, now)) : [];
  return { key: `${key}:${id}`, to: email, ...setLetter(letter, site), attachments };
}

function mailed({ status, sessionType, startsAt, endsAt }: AppointmentNotice) {
  return {
    status,
    type: sessionType,
    startsAt: startsAt.epochMilliseconds,
    endsAt: endsAt.epochMilliseconds,
  };
}

/** The calendar file of one session for one who takes part: discreet, and naming the reader alone. */
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
