import { checkEvent } from '#/features/calendar/event/rules.ts';
import type { CalendarEvent, CalendarProblem } from '#/features/calendar/event/rules.ts';
import { cleanLine, cleanText } from '#/features/calendar/line/rules.ts';
import { utcStamp } from '#/features/calendar/zone/rules.ts';

/** Prefilled event forms. Nothing is sent until opened. */
export interface CalendarLinks {
  google: string;
  outlook: string;
  office365: string;
  yahoo: string;
}

/** Builds the Appointment Confirmed dialog's links. No service documents these parameters. */
export function calendarLinks(
  event: CalendarEvent,
): { ok: true; links: CalendarLinks } | { ok: false; problem: CalendarProblem } {
  const checked = checkEvent(event);
  if (!checked.ok) return checked;
  const start = checked.span.start.epochMilliseconds;
  const end = checked.span.end.epochMilliseconds;
  const title = cleanLine(event.title);
  const details = cleanText(event.description);
  const location = cleanLine(event.location);
  const guests = (event.attendees ?? []).map((person) => person.email).join(',');

  const outlook = query({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    body: html(details),
    location,
    startdt: isoStamp(start),
    enddt: isoStamp(end),
    to: guests,
  });
  const links = {
    google: `https://calendar.google.com/calendar/render?${query({
      action: 'TEMPLATE',
      text: title,
      details,
      location,
      dates: `${utcStamp(start)}/${utcStamp(end)}`,
      ctz: checked.span.start.timeZoneId,
      add: guests,
    })}`,
    outlook: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`,
    office365: `https://outlook.office.com/calendar/0/deeplink/compose?${outlook}`,
    yahoo: `https://calendar.yahoo.com/?${query({
      v: '60',
      title,
      desc: details,
      in_loc: location,
      st: utcStamp(start),
      et: utcStamp(end),
      inv_list: guests,
    })}`,
  };
  return { ok: true, links };
}

/** Outlook shows a plus sign literally, so use %20. */
function query(parameters: Record<string, string>): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`)
    .join('&');
}

/** Outlook reads HTML and drops plain line breaks. */
function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br>');
}

function isoStamp(epochMilliseconds: number): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toString({ smallestUnit: 'second' });
}
