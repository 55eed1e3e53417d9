import { isKnownZone } from '#/kernel/zone-clock.ts';
import type { CalendarEvent, CalendarPerson } from '#/features/calendar/event/rules.ts';
import { inZone } from '#/features/calendar/zone/rules.ts';
import { m } from '#/texts/messages.js';

/** What a calendar has to know of an appointment. */
export interface CalendarSession {
  appointmentId: string;
  /** 0 at first, one more with each change. */
  sequence: number;
  status: 'pending' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';
  serviceName: string;
  specialistName: string;
  type: 'online' | 'phone' | 'in-person';
  /** Epoch milliseconds. */
  startsAt: number;
  durationMinutes: number;
  /** IANA name of the provider's zone. */
  zone: string;
  /** Where the provider meets people, if they said so. */
  providerLocation?: string | null;
  reminderMinutes?: number | null;
  /** Keeps service, specialist and place out of every field. */
  discreet: boolean;
  siteUrl: string;
  supportEmail: string;
  /** Goes into invitations and links as it is, also when discreet: name only whom the reader may see. */
  attendees?: readonly CalendarPerson[];
  /** Epoch milliseconds of its last change. */
  changedAt?: number;
}

/** An appointment as a calendar event, in the words of the client spec, section 3, or discreetly. */
export function sessionEvent(session: CalendarSession): CalendarEvent {
  const event: CalendarEvent = {
    uid: session.appointmentId,
    sequence: session.sequence,
    status: eventStatus(session.status),
    title: session.discreet
      ? m.calendar_title_discreet()
      : m.calendar_title({ service: session.serviceName }),
    description: descriptionOf(session),
    location: locationOf(session),
    startsAt: session.startsAt,
    durationMinutes: session.durationMinutes,
    zone: session.zone,
    organizer: { email: session.supportEmail, name: m.calendar_organizer() },
    attendees: session.attendees ?? [],
    reminderMinutes: session.reminderMinutes ?? null,
  };
  return session.changedAt === undefined ? event : { ...event, changedAt: session.changedAt };
}

/** What a session's calendar file is called: its date in its own zone, such as `italk-session-2026-03-08.ics`. */
export function sessionFileName(session: { startsAt: number; zone: string }): string {
  const start = inZone(session.startsAt, isKnownZone(session.zone) ? session.zone : 'UTC');
  return `italk-session-${start.toPlainDate().toString()}.ics`;
}

function eventStatus(status: CalendarSession['status']): CalendarEvent['status'] {
  if (status === 'pending') return 'tentative';
  return status === 'cancelled' ? 'cancelled' : 'confirmed';
}

const typeTexts = {
  online: m.calendar_type_online,
  phone: m.calendar_type_phone,
  'in-person': m.calendar_type_in_person,
};
const adviceTexts = {
  online: m.calendar_advice_online,
  phone: m.calendar_advice_phone,
  'in-person': m.calendar_advice_in_person,
};

function descriptionOf(session: CalendarSession): string {
  const about = [
    m.calendar_specialist({ specialist: session.specialistName }),
    m.calendar_service({ service: session.serviceName }),
    m.calendar_type({ type: typeTexts[session.type]() }),
    '',
  ];
  const call = session.discreet
    ? m.calendar_call_discreet()
    : m.calendar_call({ specialist: session.specialistName });
  const advice = [
    ...(session.type === 'phone' ? [call] : []),
    adviceTexts[session.type](),
    m.calendar_support({ url: session.siteUrl }),
  ];
  return (session.discreet ? advice : [...about, ...advice]).join('\n');
}

/** Where a session by video is held; nobody but its parties gets in. */
function roomUrl({ siteUrl, appointmentId }: CalendarSession): string {
  return `${siteUrl}/session/${appointmentId}`;
}

function locationOf(session: CalendarSession): string {
  if (session.type === 'online') return m.calendar_location_online({ url: roomUrl(session) });
  if (session.type === 'phone') return m.calendar_location_phone();
  if (session.discreet) return m.calendar_location_discreet();
  return session.providerLocation || m.calendar_location_in_person();
}
