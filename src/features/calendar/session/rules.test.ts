import { describe, expect, test } from 'vitest';
import { calendarFile } from '#/features/calendar/event/rules.ts';
import { sessionEvent, sessionFileName } from '#/features/calendar/session/rules.ts';
import type { CalendarSession } from '#/features/calendar/session/rules.ts';

function sessionOf(changes: Partial<CalendarSession> = {}): CalendarSession {
  return {
    appointmentId: '019c7a8e-0000-7000-8000-000000000001',
    sequence: 1,
    status: 'confirmed',
    serviceName: 'Individual Healing',
    specialistName: 'Dr. Grace Lee',
    type: 'online',
    startsAt: Date.UTC(2026, 2, 9, 1),
    durationMinutes: 60,
    zone: 'America/New_York',
    reminderMinutes: 15,
    discreet: false,
    siteUrl: 'https://italk.example',
    supportEmail: 'support@italk.example',
    ...changes,
  };
}

describe('an appointment in a calendar', () => {
  test('uses the client spec’s title and description', () => {
    const event = sessionEvent(sessionOf());
    expect(event.title).toBe('iTalk Individual Healing Session');
    expect(event.description).toBe(
      'Specialist: Dr. Grace Lee\nService: Individual Healing\nSession type: Online Video Call\n\n' +
        'Please log in 5 minutes early.\nFor support, visit https://italk.example',
    );
    expect(event.location).toBe(
      'Video meeting: https://italk.example/session/019c7a8e-0000-7000-8000-000000000001',
    );
    expect(event.organizer).toEqual({ email: 'support@italk.example', name: 'iTalk' });
    expect(event.uid).toBe('019c7a8e-0000-7000-8000-000000000001');
  });

  test('by phone', () => {
    const event = sessionEvent(sessionOf({ type: 'phone' }));
    expect(event.location).toBe('Phone call');
    expect(event.description).toContain(
      'Session type: Phone Call\n\nDr. Grace Lee will call the number on the booking.\nPlease be ready 5 minutes early.',
    );
  });

  test('in person, shows the provider’s place or the wellness center', () => {
    const event = sessionEvent(sessionOf({ type: 'in-person' }));
    expect(event.location).toBe('iTalk Wellness Center');
    expect(event.description).toContain('Session type: In-Person\n\nPlease arrive 5 minutes early.');
    expect(sessionEvent(sessionOf({ type: 'in-person', providerLocation: '12 Main St' })).location).toBe(
      '12 Main St',
    );
  });

  test.each(['online', 'phone', 'in-person'] as const)(
    'discreet, %s: says neither what, nor with whom, nor where',
    (type) => {
      const event = sessionEvent(
        sessionOf({ type, discreet: true, providerLocation: 'Hope Clinic, 12 Main St' }),
      );
      expect(event.title).toBe('iTalk session');
      const file = calendarFile(event, { now: 0 });
      expect(JSON.stringify([event, file])).not.toMatch(/Healing|Grace|Lee|Hope|Clinic|Main St|Wellness/);
    },
  );

  test.each([
    ['pending', 'tentative'],
    ['confirmed', 'confirmed'],
    ['completed', 'confirmed'],
    ['no_show', 'confirmed'],
    ['cancelled', 'cancelled'],
  ] as const)('%s is %s', (status, expected) => {
    expect(sessionEvent(sessionOf({ status })).status).toBe(expected);
  });

  test('names its file by the date in the session’s time zone', () => {
    expect(sessionFileName(sessionOf())).toBe('italk-session-2026-03-08.ics');
    expect(sessionFileName(sessionOf({ zone: 'Asia/Kathmandu' }))).toBe('italk-session-2026-03-09.ics');
  });
});
