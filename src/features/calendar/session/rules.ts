import { isKnownZone } from '#/kernel/zone-clock.ts';
import type { CalendarEvent, CalendarPerson } from '#/features/calendar/event/rules.ts';
import { inZone } from '#/features/calendar/zone/rules.ts';
import { m } from '#/texts/messages.js';

export interface CalendarSession {
  appointmentId: string;
  /** Starts at 0 and increases by one per change. */
  sequence: number;
  status: 'pending' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';
  serviceName: string;
  specialistName: string;
  type: 'online' | 'phone' | 'in-person';
  /** Epoch milliseconds. */
  startsAt: number;
  durationMinutes: number;
  /** The provider's IANA time zone. */
  zone: string;
  providerLocation?: string | null;
  reminderMinutes?: number | null;
  /** Omits service, specialist and location from every field. */
  discreet: boolean;
  siteUrl: string;
  supportEmail: string;
  /** Included even if discreet, so add only people the reader may see. */
  attendees?: readonly CalendarPerson[];
  /** Last change in epoch milliseconds. */
  changedAt?: number;
}

/** Builds a calendar event, discreet or worded as in client spec, section 3. */
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

/** Names the file by local session date: `italk-session-2026-03-08.ics`. */
export function sessionFileName(session: { startsAt: number; zone: string }): string {
  const start = inZone(session.startsAt, isKnownZone(session.zone) ? session.zone : 'UTC');
  return `italk-session-${start.toPlainDate().toString()}.ics`;
}

function eventStatus(status: CalendarSession['status']): CalendarEvent['status'] {
  if (status === 'pending') return 'tentative';
  return status === 'cancelled' ? 'cancelled' : 'confirmed';
}

export const typeTexts = {
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

function roomUrl({ siteUrl, appointmentId }: CalendarSession): string {
  return `${siteUrl}/session/${appointmentId}`;
}

function locationOf(session: CalendarSession): string {
  if (session.type === 'online') return m.calendar_location_online({ url: roomUrl(session) });
  if (session.type === 'phone') return m.calendar_location_phone();
  if (session.discreet) return m.calendar_location_discreet();
  return session.providerLocation || m.calendar_location_in_person();
}
