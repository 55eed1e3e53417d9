import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, inject, test } from 'vitest';
import { calendarFile } from '#/features/calendar/event/rules.ts';
import type { CalendarEvent, CalendarMethod } from '#/features/calendar/event/rules.ts';
import { cleanText } from '#/features/calendar/line/rules.ts';
import { proving } from '../../../../tests/support/prove.ts';

const now = Date.UTC(2026, 1, 20, 8, 30, 15, 250);

function eventOf(changes: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    uid: '019c7a8e-0000-7000-8000-000000000001',
    sequence: 2,
    status: 'confirmed',
    title: 'iTalk Individual Healing Session',
    description: 'Specialist: Dr. Grace Lee\nService: Individual Healing',
    location: 'iTalk Wellness Center',
    startsAt: Date.UTC(2026, 2, 9, 17),
    durationMinutes: 60,
    zone: 'America/New_York',
    organizer: { email: 'support@italk.example', name: 'iTalk' },
    reminderMinutes: 15,
    ...changes,
  };
}

function write(events: CalendarEvent | CalendarEvent[], method?: CalendarMethod): string {
  const file = calendarFile(events, method ? { now, method } : { now });
  if (!file.ok) throw new Error(file.problem);
  expectPhysicalLines(file.content);
  return file.content;
}

/** RFC 5545, 3.1: lines end in CRLF, have at most 75 octets, and never split a UTF-8 sequence. */
function expectPhysicalLines(content: string): void {
  const octets = Buffer.from(content, 'utf8');
  expect(octets.toString('utf8')).toBe(content);
  expect(content.endsWith('\r\n')).toBe(true);
  for (const line of octets.toString('latin1').split('\r\n')) {
    const bytes = Buffer.from(line, 'latin1');
    expect(bytes.length).toBeLessThanOrEqual(75);
    // Throws on a partial sequence.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    expect(line).not.toMatch(/[^\P{Cc}\t\u0080-\u009f]/u);
  }
}

interface ReadEvent {
  component: ICAL.Component;
  start: number;
  end: number;
  value: (name: string) => unknown;
}

/** Parses events with ical.js, using only the file's own VTIMEZONE data. */
function read(content: string): ReadEvent[] {
  const calendar = ICAL.Component.fromString(content);
  const zones = new Map(
    calendar
      .getAllSubcomponents('vtimezone')
      .map((zone) => [String(zone.getFirstPropertyValue('tzid')), new ICAL.Timezone(zone)]),
  );
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const instant = (name: string): number => {
      const tzid = component.getFirstProperty(name)?.getFirstParameter('tzid');
      const zone = tzid === undefined ? ICAL.Timezone.utcTimezone : zones.get(tzid);
      const time = component.getFirstPropertyValue(name);
      if (!zone || !(time instanceof ICAL.Time)) throw new Error(`${name} can't be read`);
      if (tzid === undefined && time.zone !== zone) throw new Error(`${name} is in no zone`);
      time.zone = zone;
      return time.toUnixTime() * 1000;
    };
    return {
      component,
      start: instant('dtstart'),
      end: instant('dtend'),
      value: (name) => component.getFirstPropertyValue(name),
    };
  });
}

function readOne(content: string): ReadEvent {
  const [event, ...others] = read(content);
  if (!event || others.length > 0) throw new Error('not one event');
  return event;
}

function alarmSeconds(event: ReadEvent): number {
  const trigger = event.component.getFirstSubcomponent('valarm')?.getFirstPropertyValue('trigger');
  if (!(trigger instanceof ICAL.Duration)) throw new Error('no alarm');
  return trigger.toSeconds();
}

/** Every half hour, from one day before to one day after. */
function around(epochMilliseconds: number): number[] {
  return Array.from({ length: 97 }, (_, i) => epochMilliseconds + (i - 48) * 1_800_000);
}

describe('a session file', () => {
  test('follows the client spec, and ical.js parses it', () => {
    const content = write(eventOf());
    const event = readOne(content);
    expect(event.start).toBe(Date.UTC(2026, 2, 9, 17));
    expect(event.end).toBe(Date.UTC(2026, 2, 9, 18));
    expect(event.value('uid')).toBe('019c7a8e-0000-7000-8000-000000000001');
    expect(event.value('sequence')).toBe(2);
    expect(event.value('status')).toBe('CONFIRMED');
    expect(event.value('class')).toBe('PRIVATE');
    expect(event.value('x-microsoft-cdo-busystatus')).toBe('BUSY');
    expect(event.value('organizer')).toBe('mailto:support@italk.example');
    expect(event.component.getFirstProperty('organizer')!.getFirstParameter('cn')).toBe('iTalk');
    expect(String(event.value('dtstamp'))).toBe('2026-02-20T08:30:15Z');
    expect(event.value('summary')).toBe('iTalk Individual Healing Session');
    expect(event.value('description')).toBe('Specialist: Dr. Grace Lee\nService: Individual Healing');
    expect(event.value('location')).toBe('iTalk Wellness Center');
    expect(content).toContain('\r\nPRODID:-//iTalk//iTalk//EN\r\n');
    expect(content).toContain('\r\nMETHOD:PUBLISH\r\n');
    expect(content).toContain('\r\nTRIGGER:-PT15M\r\n');
    expect(content).toContain('\r\nDTSTART;TZID=America/New_York:20260309T130000\r\n');
    expect(alarmSeconds(event)).toBe(-900);
  });

  test('is identical for the same event and timestamp', () => {
    expect(write(eventOf())).toBe(write(eventOf()));
  });

  test.each([60, 1440, 2880, 10_080])('rings %i minutes before', (reminderMinutes) => {
    expect(alarmSeconds(readOne(write(eventOf({ reminderMinutes }))))).toBe(-60 * reminderMinutes);
  });

  test('has no alarm without a reminder', () => {
    expect(write(eventOf({ reminderMinutes: null }))).not.toContain('VALARM');
  });

  test('is tentative and busy while unconfirmed', () => {
    const event = readOne(write(eventOf({ status: 'tentative' })));
    expect(event.value('status')).toBe('TENTATIVE');
    expect(event.value('x-microsoft-cdo-busystatus')).toBe('BUSY');
  });

  test('is free and silent once canceled', () => {
    const event = readOne(write(eventOf({ status: 'cancelled' })));
    expect(event.value('status')).toBe('CANCELLED');
    expect(event.value('transp')).toBe('TRANSPARENT');
    expect(event.component.getFirstSubcomponent('valarm')).toBeNull();
  });

  test('holds a whole series across time zones, each zone once', () => {
    const events = [0, 1, 2, 3].map((week) =>
      eventOf({
        uid: `series-${week}`,
        // Weekly at 15:00 in New York, across the DST change on March 8.
        startsAt: Date.UTC(2026, 1, 23 + 7 * week, week < 2 ? 20 : 19),
      }),
    );
    const content = write([...events, eventOf({ uid: 'other', zone: 'Asia/Kathmandu' })]);
    expect(content.match(/BEGIN:VTIMEZONE/g)).toHaveLength(2);
    const read5 = read(content);
    expect(read5.map((event) => event.start)).toEqual([
      ...events.map((event) => event.startsAt),
      Date.UTC(2026, 2, 9, 17),
    ]);
    expect(content.match(/DTSTART;TZID=America\/New_York:\d{8}T150000/g)).toHaveLength(4);
  });
});

describe('an email invitation (RFC 5546)', () => {
  const attendees = [{ email: 'ann+church@example.org', name: `Ann "Annie" O’Hara; x, y: z ^n ^' ^^` }];

  test('requests attendance from its attendees', () => {
    const content = write(eventOf({ attendees }), 'REQUEST');
    const event = readOne(content);
    expect(content).toContain('\r\nMETHOD:REQUEST\r\n');
    const attendee = event.component.getFirstProperty('attendee')!;
    expect(attendee.getFirstValue()).toBe('mailto:ann+church@example.org');
    expect(attendee.getFirstParameter('cn')).toBe(attendees[0]?.name);
    expect(attendee.getFirstParameter('partstat')).toBe('ACCEPTED');
  });

  test('can be withdrawn', () => {
    const content = write(eventOf({ attendees, sequence: 3 }), 'CANCEL');
    const event = readOne(content);
    expect(content).toContain('\r\nMETHOD:CANCEL\r\n');
    expect(event.value('status')).toBe('CANCELLED');
    expect(event.value('sequence')).toBe(3);
    expect(content).not.toContain('VALARM');
  });

  test('requires an attendee and exactly one event', () => {
    expect(calendarFile(eventOf(), { now, method: 'REQUEST' })).toEqual({
      ok: false,
      problem: 'attendee_missing',
    });
    expect(calendarFile([eventOf({ attendees }), eventOf({ attendees })], { now, method: 'CANCEL' })).toEqual(
      {
        ok: false,
        problem: 'several_events',
      },
    );
  });

  test('never puts an email address into a published file', () => {
    expect(write(eventOf({ attendees }))).not.toContain('ATTENDEE');
  });
});

describe('bad input', () => {
  const start = eventOf().startsAt;
  test.each<[string, Partial<CalendarEvent>]>([
    ['end_and_duration', { endsAt: start + 3_600_000 }],
    ['end_missing', { durationMinutes: undefined }],
    ['end_before_start', { durationMinutes: undefined, endsAt: start - 1000 }],
    ['end_before_start', { durationMinutes: undefined, endsAt: start }],
    ['end_before_start', { durationMinutes: -30 }],
    ['end_invalid', { durationMinutes: Number.NaN }],
    ['end_invalid', { durationMinutes: Number.POSITIVE_INFINITY }],
    ['end_invalid', { durationMinutes: 0.01 }],
    ['start_invalid', { startsAt: Number.NaN }],
    ['start_invalid', { startsAt: -1000 }],
    ['start_invalid', { startsAt: start + 0.5 }],
    ['start_invalid', { startsAt: 8.64e15 }],
    ['zone_unknown', { zone: 'Mars/Olympus' }],
    ['zone_unknown', { zone: '+05:45' }],
    ['zone_unknown', { zone: '2020-01-01T00:00Z' }],
    ['zone_unknown', { zone: '' }],
    ['zone_unknown', { zone: 'Europe/Paris\r\nATTENDEE:mailto:x@example.org' }],
    ['title_empty', { title: '' }],
    ['title_empty', { title: ' \r\n\u0000' }],
    ['uid_empty', { uid: ' ' }],
    ['sequence_invalid', { sequence: -1 }],
    ['sequence_invalid', { sequence: 1.5 }],
    ['reminder_invalid', { reminderMinutes: -15 }],
    ['reminder_invalid', { reminderMinutes: Number.NaN }],
    ['url_invalid', { url: 'javascript:alert(1)' }],
    ['address_invalid', { organizer: { email: 'nobody' } }],
    ['address_invalid', { organizer: { email: 'a@b\r\nATTENDEE:mailto:x@example.org' } }],
    ['address_invalid', { attendees: [{ email: 'a b@example.org' }] }],
  ])('%s: %o', (problem, changes) => {
    expect(calendarFile(eventOf(changes), { now })).toEqual({ ok: false, problem });
  });

  test('event_missing', () => {
    expect(calendarFile([], { now })).toEqual({ ok: false, problem: 'event_missing' });
  });
});

describe('time zones', () => {
  test.each<[string, number]>([
    ['America/New_York', Date.UTC(2026, 2, 8, 7)],
    ['America/New_York', Date.UTC(2026, 10, 1, 6)],
    ['Europe/Dublin', Date.UTC(2026, 2, 29, 1)],
    ['Asia/Kathmandu', Date.UTC(2026, 2, 8, 7)],
    ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15)],
    ['Australia/Lord_Howe', Date.UTC(2026, 9, 3, 15, 30)],
    ['UTC', Date.UTC(2026, 2, 8, 7)],
    ['Etc/UTC', Date.UTC(2026, 2, 8, 7)],
    ['Pacific/Apia', Date.UTC(2026, 2, 8, 7)],
    // Samoa skipped this day.
    ['Pacific/Apia', Date.UTC(2011, 11, 30, 10)],
    ['Africa/Casablanca', Date.UTC(2026, 1, 15, 2)],
    ['Africa/Casablanca', Date.UTC(2026, 2, 22, 2)],
    ['America/Argentina/Buenos_Aires', Date.UTC(2026, 2, 8, 7)],
    ['Etc/GMT+5', Date.UTC(2026, 2, 8, 7)],
  ])('convert %s around %i to the same instants through the file’s VTIMEZONE', (zone, change) => {
    for (const startsAt of around(change)) {
      const event = readOne(write(eventOf({ zone, startsAt, durationMinutes: 90 })));
      expect(new Date(event.start).toISOString()).toBe(new Date(startsAt).toISOString());
      expect(new Date(event.end).toISOString()).toBe(new Date(startsAt + 90 * 60_000).toISOString());
    }
  });

  test.each(['UTC', 'utc', 'Etc/UTC'])('write %s with Z', (zone) => {
    const content = write(eventOf({ zone }));
    expect(content).toContain('\r\nDTSTART:20260309T170000Z\r\n');
    expect(content).not.toContain('VTIMEZONE');
  });

  test('match the New York observances in RFC 5545, section 3.6.5', () => {
    const content = write(eventOf());
    for (const observance of [
      'BEGIN:STANDARD\r\nDTSTART:20251102T020000\r\nTZOFFSETFROM:-0400\r\nTZOFFSETTO:-0500\r\nEND:STANDARD\r\n',
      'BEGIN:DAYLIGHT\r\nDTSTART:20260308T020000\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\nEND:DAYLIGHT\r\n',
      'BEGIN:STANDARD\r\nDTSTART:20261101T020000\r\nTZOFFSETFROM:-0400\r\nTZOFFSETTO:-0500\r\nEND:STANDARD\r\n',
    ]) {
      expect(content).toContain(observance);
    }
  });

  test('have one observance without DST', () => {
    const content = write(eventOf({ zone: 'Etc/GMT+5' }));
    expect(content).toContain(
      'BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0500\r\nEND:STANDARD\r\n',
    );
    expect(content).not.toContain('DAYLIGHT');
  });

  test('write an ambiguous November time in UTC', () => {
    for (const [startsAt, stamp] of [
      [Date.UTC(2026, 10, 1, 4, 59), 'DTSTART;TZID=America/New_York:20261101T005900'],
      [Date.UTC(2026, 10, 1, 5, 0), 'DTSTART:20261101T050000Z'],
      [Date.UTC(2026, 10, 1, 6, 59), 'DTSTART:20261101T065900Z'],
      [Date.UTC(2026, 10, 1, 7, 0), 'DTSTART;TZID=America/New_York:20261101T020000'],
    ] as const) {
      expect(write(eventOf({ startsAt }))).toContain(`\r\n${stamp}\r\n`);
    }
  });

  test('include every zone the runtime knows', { tags: ['long'] }, () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      for (const startsAt of [Date.UTC(1998, 6, 1, 12), Date.UTC(2026, 0, 5, 9), Date.UTC(2026, 6, 6, 9)]) {
        const event = readOne(write(eventOf({ zone, startsAt })));
        expect([zone, event.start, event.end]).toEqual([zone, startsAt, startsAt + 3_600_000]);
      }
    }
  });
});

describe('text', () => {
  test.each([
    ['emoji', '👨‍👩‍👧‍👦🙏🏽'.repeat(40)],
    ['commas, semicolons, backslashes', String.raw`a,b;c\d\,e\;f\nno break\\`],
    ['newlines', 'one\ntwo\n\nfour\n'],
    ['right-to-left', 'جلسة مع د. نور — שלום \u202Bעולם\u202C'.repeat(20)],
    ['quotes, colons, carets', `"x":'y'^n^^'`],
    ['two thousand characters', 'Añ漢🙂'.repeat(500)],
    ['spaces where lines fold', ' \t '.repeat(200) + 'x'],
    ['what looks like a property', 'END:VEVENT\nBEGIN:VALARM\nATTENDEE:mailto:x@example.org'],
  ])('round-trips: %s', (_, text) => {
    const event = readOne(write(eventOf({ title: `T${text}`, description: text, location: text })));
    expect(event.value('summary')).toBe(`T${text}`);
    expect(event.value('description')).toBe(text);
    expect(event.value('location')).toBe(text);
  });

  test('never adds a property through line breaks', () => {
    for (const breaker of ['\r\n', '\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\f', '\r\n ']) {
      const text = `x${breaker}ATTENDEE:mailto:evil@example.org${breaker}END:VEVENT`;
      const person = { email: 'a@example.org', name: text };
      const event = readOne(
        write(
          eventOf({
            uid: text,
            title: text,
            description: text,
            location: text,
            organizer: person,
            attendees: [person],
            url: `https://a.example/${text}`,
          }),
          'REQUEST',
        ),
      );
      expect(event.component.getAllProperties('attendee')).toHaveLength(1);
      expect(String(event.value('summary')).split('\n')).toHaveLength(3);
    }
  });

  test('drops control characters and lone surrogates', () => {
    const event = readOne(write(eventOf({ title: 'a\u0000b\u0007c\u001bd\u007fe\u009ff\ud800g\th' })));
    expect(event.value('summary')).toBe('abcdef\ufffdg\th');
  });

  test('property: round-trips after cleaning', { tags: ['long'] }, () => {
    const anyText = oneof(
      string({ unit: 'binary', maxLength: 300 }),
      string({ unit: 'grapheme', maxLength: 300 }),
      array(
        constantFrom(
          '\r',
          '\n',
          '\\',
          ';',
          ',',
          ':',
          '"',
          '^',
          ' ',
          '\t',
          '\u0000',
          '🙂',
          'ש',
          '\ud83d',
          'END:VEVENT',
          '\\n',
        ),
        { maxLength: 120 },
      ).map((parts) => parts.join('')),
    );
    assert(
      property(
        anyText,
        anyText,
        anyText,
        integer({ min: 0, max: 4e6 }),
        (title, description, location, hours) => {
          const startsAt = hours * 3_600_000;
          const event = readOne(write(eventOf({ title: `T${title}`, description, location, startsAt })));
          expect(event.value('summary')).toBe(cleanText(`T${title}`));
          expect(event.value('description')).toBe(cleanText(description));
          expect(event.value('location')).toBe(cleanText(location));
          expect(event.start).toBe(startsAt);
        },
      ),
      { numRuns: proving ? 300 : 60, seed: inject('seed') },
    );
  });

  test('property: names survive as parameters (RFC 6868)', { tags: ['long'] }, () => {
    assert(
      property(string({ unit: 'binary', maxLength: 200 }), (name) => {
        const content = write(
          eventOf({ attendees: [{ email: 'a@example.org', name: `N${name}` }] }),
          'REQUEST',
        );
        const attendees = readOne(content).component.getAllProperties('attendee');
        expect(attendees).toHaveLength(1);
        expect(attendees[0]?.getFirstParameter('cn')).toBe(cleanText(`N${name}`).replace(/\s+/g, ' ').trim());
      }),
      { numRuns: proving ? 300 : 60, seed: inject('seed') },
    );
  });
});
