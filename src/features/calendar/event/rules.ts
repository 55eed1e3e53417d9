import { isKnownZone } from '#/kernel/zone-clock.ts';
import {
  cleanLine,
  cleanText,
  contentLine,
  parameterValue,
  textValue,
  uriValue,
} from '#/features/calendar/line/rules.ts';
import { inZone, isUtc, timeZoneComponent, utcStamp, zonedLine } from '#/features/calendar/zone/rules.ts';

export interface CalendarPerson {
  email: string;
  name?: string;
}

/** Set either `endsAt` or `durationMinutes`, never both. */
export interface CalendarEvent {
  /** Unique and stable for the appointment's lifetime. */
  uid: string;
  /** Starts at 0 and increases with each change. */
  sequence?: number;
  status: 'tentative' | 'confirmed' | 'cancelled';
  title: string;
  description: string;
  location: string;
  /** Epoch milliseconds, whole seconds only. */
  startsAt: number;
  endsAt?: number;
  durationMinutes?: number;
  /** IANA time zone of the event. */
  zone: string;
  organizer: CalendarPerson;
  /** Published files omit attendees. */
  attendees?: readonly CalendarPerson[];
  /** Minutes before the start; no alarm if absent. */
  reminderMinutes?: number | null;
  /** HTTP(S) page of the event. */
  url?: string;
  /** Epoch milliseconds; keeps timestamps stable in subscribed calendars. */
  changedAt?: number;
}

/** RFC 5546: saved file, emailed invitation, cancellation. */
export type CalendarMethod = 'PUBLISH' | 'REQUEST' | 'CANCEL';

export type CalendarProblem =
  | 'uid_empty'
  | 'sequence_invalid'
  | 'title_empty'
  | 'start_invalid'
  | 'end_missing'
  | 'end_and_duration'
  | 'end_invalid'
  | 'end_before_start'
  | 'zone_unknown'
  | 'address_invalid'
  | 'reminder_invalid'
  | 'url_invalid'
  | 'event_missing'
  | 'attendee_missing'
  | 'several_events';

/** In the event's time zone. */
export interface EventSpan {
  start: Temporal.ZonedDateTime;
  end: Temporal.ZonedDateTime;
}

/** Last date with a four-digit year in every time zone. */
const lastSecond = Date.UTC(9999, 11, 30);
const longestReminder = 366 * 24 * 60;

const statuses = { tentative: 'TENTATIVE', confirmed: 'CONFIRMED', cancelled: 'CANCELLED' } as const;
// Pending appointments count as busy: client spec, section 3.
const busyStatuses = { tentative: 'BUSY', confirmed: 'BUSY', cancelled: 'FREE' } as const;
const transparencies = { tentative: 'OPAQUE', confirmed: 'OPAQUE', cancelled: 'TRANSPARENT' } as const;
const participations = { tentative: 'TENTATIVE', confirmed: 'ACCEPTED', cancelled: 'DECLINED' } as const;

/** Writes an iCalendar file (RFC 5545). Only `PUBLISH` allows several events; `now` is epoch milliseconds. */
export function calendarFile(
  events: CalendarEvent | readonly CalendarEvent[],
  options: { now: number; method?: CalendarMethod },
): { ok: true; content: string } | { ok: false; problem: CalendarProblem } {
  const method = options.method ?? 'PUBLISH';
  const list = isList(events) ? events : [events];
  if (list.length === 0) return { ok: false, problem: 'event_missing' };
  // Invitation components share one UID (RFC 5546, 3.2.2).
  if (method !== 'PUBLISH' && list.length > 1) return { ok: false, problem: 'several_events' };

  for (const event of list)
    if (method !== 'PUBLISH' && !event.attendees?.length) return { ok: false, problem: 'attendee_missing' };
  const written = writeEvents(list, method, options.now);
  if (!written.ok) return written;
  return { ok: true, content: calendarComponent(method, [], written.content) };
}

export interface CalendarFeed {
  /** Display name in calendar apps. */
  name: string;
  /** IANA time zone of an empty calendar. */
  zone: string;
  /** Suggested refresh interval in minutes. */
  refreshMinutes: number;
  /** Epoch milliseconds, for events without `changedAt`. */
  now: number;
}

/** Writes a subscribable calendar (RFC 5545, RFC 7986, legacy properties). Output changes only with its events. */
export function calendarFeed(
  events: readonly CalendarEvent[],
  { name, zone, refreshMinutes, now }: CalendarFeed,
): { ok: true; content: string } | { ok: false; problem: CalendarProblem } {
  if (!isKnownZone(zone)) return { ok: false, problem: 'zone_unknown' };
  const written = writeEvents(events, 'PUBLISH', now);
  if (!written.ok) return written;
  const head = [
    contentLine('NAME', textValue(cleanLine(name))),
    contentLine('X-WR-CALNAME', textValue(cleanLine(name))),
    contentLine('X-WR-TIMEZONE', textValue(zone)),
    contentLine('REFRESH-INTERVAL;VALUE=DURATION', `PT${refreshMinutes}M`),
    contentLine('X-PUBLISHED-TTL', `PT${refreshMinutes}M`),
  ];
  // RFC 5545 (3.6) requires a component: write the VTIMEZONE as of 1970.
  const first = inZone(0, zone);
  const body = events.length > 0 ? written.content : timeZoneComponent(first, first);
  return { ok: true, content: calendarComponent('PUBLISH', head, body) };
}

function calendarComponent(method: CalendarMethod, head: readonly string[], body: string): string {
  return [
    contentLine('BEGIN', 'VCALENDAR'),
    contentLine('VERSION', '2.0'),
    contentLine('PRODID', '-//iTalk//iTalk//EN'),
    contentLine('CALSCALE', 'GREGORIAN'),
    contentLine('METHOD', method),
    ...head,
    body,
    contentLine('END', 'VCALENDAR'),
  ].join('');
}

/** Writes each required VTIMEZONE once. */
function writeEvents(
  events: readonly CalendarEvent[],
  method: CalendarMethod,
  now: number,
): { ok: true; content: string } | { ok: false; problem: CalendarProblem } {
  const zones = new Map<string, EventSpan>();
  let components = '';
  for (const event of events) {
    const checked = checkEvent(event);
    if (!checked.ok) return checked;
    components += eventComponent(event, checked.span, method, event.changedAt ?? now);
    const zone = checked.span.start.timeZoneId;
    zones.set(zone, widen(zones.get(zone), checked.span));
  }
  const named = [...zones].filter(([zone]) => !isUtc(zone));
  return {
    ok: true,
    content: named.map(([, { start, end }]) => timeZoneComponent(start, end)).join('') + components,
  };
}

export function checkEvent(
  event: CalendarEvent,
): { ok: true; span: EventSpan } | { ok: false; problem: CalendarProblem } {
  const problem = wordsProblem(event) ?? timesProblem(event);
  if (problem) return { ok: false, problem };
  const span = { start: inZone(event.startsAt, event.zone), end: inZone(endOf(event), event.zone) };
  return { ok: true, span };
}

function wordsProblem(event: CalendarEvent): CalendarProblem | null {
  if (cleanLine(event.uid) === '') return 'uid_empty';
  if (cleanLine(event.title) === '') return 'title_empty';
  const people = [event.organizer, ...(event.attendees ?? [])];
  if (!people.every((person) => isAddress(person.email))) return 'address_invalid';
  if (event.url !== undefined && !/^https?:\/\/[^\s/]/i.test(event.url)) return 'url_invalid';
  return null;
}

function timesProblem(event: CalendarEvent): CalendarProblem | null {
  if (!Number.isInteger(event.sequence ?? 0) || (event.sequence ?? 0) < 0) return 'sequence_invalid';
  if (!isKnownZone(event.zone)) return 'zone_unknown';
  if (!isInstant(event.startsAt)) return 'start_invalid';
  if (event.endsAt !== undefined && event.durationMinutes !== undefined) return 'end_and_duration';
  if (event.endsAt === undefined && event.durationMinutes === undefined) return 'end_missing';
  const end = endOf(event);
  if (!isInstant(end) && end > event.startsAt) return 'end_invalid';
  if (!(end > event.startsAt)) return Number.isNaN(end) ? 'end_invalid' : 'end_before_start';
  const reminder = event.reminderMinutes ?? 0;
  if (!Number.isInteger(reminder) || reminder < 0 || reminder > longestReminder) return 'reminder_invalid';
  return null;
}

function endOf(event: CalendarEvent): number {
  return event.endsAt ?? event.startsAt + event.durationMinutes! * 60_000;
}

function isInstant(epochMilliseconds: number): boolean {
  return epochMilliseconds >= 0 && epochMilliseconds <= lastSecond && epochMilliseconds % 1000 === 0;
}

function isAddress(email: string): boolean {
  return email === cleanText(email) && /^[^\s@<>"]+@[^\s@<>"]+$/.test(email);
}

function isList(events: CalendarEvent | readonly CalendarEvent[]): events is readonly CalendarEvent[] {
  return Array.isArray(events);
}

function widen(span: EventSpan | undefined, other: EventSpan): EventSpan {
  if (!span) return other;
  const { compare } = Temporal.ZonedDateTime;
  return {
    start: compare(span.start, other.start) <= 0 ? span.start : other.start,
    end: compare(span.end, other.end) >= 0 ? span.end : other.end,
  };
}

function eventComponent(
  event: CalendarEvent,
  span: EventSpan,
  method: CalendarMethod,
  stampedAt: number,
): string {
  const status = method === 'CANCEL' ? 'cancelled' : event.status;
  const lines = [
    contentLine('BEGIN', 'VEVENT'),
    contentLine('UID', textValue(cleanLine(event.uid))),
    contentLine('SEQUENCE', String(event.sequence ?? 0)),
    contentLine('DTSTAMP', utcStamp(stampedAt)),
    zonedLine('DTSTART', span.start),
    zonedLine('DTEND', span.end),
    contentLine('SUMMARY', textValue(event.title)),
    contentLine('DESCRIPTION', textValue(event.description)),
    contentLine('LOCATION', textValue(event.location)),
    contentLine('STATUS', statuses[status]),
    contentLine('CLASS', 'PRIVATE'),
    contentLine('TRANSP', transparencies[status]),
    contentLine('X-MICROSOFT-CDO-BUSYSTATUS', busyStatuses[status]),
    personLine('ORGANIZER', event.organizer),
  ];
  if (event.url !== undefined) lines.push(contentLine('URL', uriValue(event.url)));
  // RFC 5546 (3.2.1) forbids attendees in published files, so addresses stay private.
  if (method !== 'PUBLISH') {
    const head = `ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=${participations[status]};RSVP=FALSE`;
    lines.push(...(event.attendees ?? []).map((person) => personLine(head, person)));
  }
  if (event.reminderMinutes && status !== 'cancelled')
    lines.push(alarmComponent(event.title, event.reminderMinutes));
  lines.push(contentLine('END', 'VEVENT'));
  return lines.join('');
}

function personLine(head: string, person: CalendarPerson): string {
  const [user = '', host = ''] = person.email.split('@');
  const address = `${encodeURIComponent(user).replaceAll('%2B', '+')}@${encodeURIComponent(host)}`;
  const name = cleanLine(person.name ?? '');
  return contentLine(name === '' ? head : `${head};CN=${parameterValue(name)}`, `mailto:${address}`);
}

/** Always minutes: days would shift with DST. */
function alarmComponent(title: string, minutes: number): string {
  return [
    contentLine('BEGIN', 'VALARM'),
    contentLine('ACTION', 'DISPLAY'),
    contentLine('TRIGGER', `-PT${minutes}M`),
    contentLine('DESCRIPTION', textValue(title)),
    contentLine('END', 'VALARM'),
  ].join('');
}
