import { contactCard, contactFileName, supportCard } from '#/features/calendar/card/rules.ts';
import { calendarFile } from '#/features/calendar/event/rules.ts';
import { calendarLinks, type CalendarLinks } from '#/features/calendar/links/rules.ts';
import { sessionEvent, sessionFileName } from '#/features/calendar/session/rules.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import type { Download } from '#/web/download.ts';

export interface CalendarRequest {
  reminderMinutes: number;
  discreet: boolean;
  siteUrl: string;
  supportEmail: string;
  email: string;
}

export type FiledSession = Pick<
  AppointmentView,
  'id' | 'sequence' | 'status' | 'sessionType' | 'startsAt' | 'durationMinutes'
> & {
  service: Pick<AppointmentView['service'], 'title'>;
  provider: Pick<AppointmentView['provider'], 'name' | 'timeZone' | 'location'>;
};

/** Returns null on failure. `now` in epoch milliseconds. */
export function sessionsFile(
  sessions: readonly FiledSession[],
  wish: CalendarRequest,
  now: number,
): Download | null {
  const first = sessions[0];
  const made = calendarFile(
    sessions.map((session) => eventOf(session, wish)),
    { now },
  );
  if (!made.ok || !first) return null;
  const name = sessionFileName({ startsAt: Date.parse(first.startsAt), zone: first.provider.timeZone });
  return { name, content: new Blob([made.content], { type: 'text/calendar;charset=utf-8' }) };
}

/** Returns null on failure. */
export function sessionLinks(session: AppointmentView, wish: CalendarRequest): CalendarLinks | null {
  const made = calendarLinks(eventOf(session, wish));
  return made.ok ? made.links : null;
}

export function contactFile({
  supportPhone,
  ...site
}: {
  siteName: string;
  siteUrl: string;
  supportEmail: string;
  supportPhone: string | null;
}): Download {
  const card = supportCard(supportPhone ? { ...site, phone: supportPhone } : site);
  return {
    name: contactFileName,
    content: new Blob([contactCard(card)], { type: 'text/vcard;charset=utf-8' }),
  };
}

function eventOf(session: FiledSession, wish: CalendarRequest) {
  return sessionEvent({
    appointmentId: session.id,
    sequence: session.sequence,
    status: session.status,
    serviceName: session.service.title,
    specialistName: session.provider.name,
    type: session.sessionType,
    startsAt: Date.parse(session.startsAt),
    durationMinutes: session.durationMinutes,
    zone: session.provider.timeZone,
    providerLocation: session.provider.location,
    reminderMinutes: wish.reminderMinutes,
    discreet: wish.discreet,
    siteUrl: wish.siteUrl,
    supportEmail: wish.supportEmail,
    attendees: [{ email: wish.email }],
  });
}
