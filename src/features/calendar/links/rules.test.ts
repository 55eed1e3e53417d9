import { describe, expect, test } from 'vitest';
import type { CalendarEvent } from '#/features/calendar/event/rules.ts';
import { calendarLinks } from '#/features/calendar/links/rules.ts';

const hostile = 'Faith & "Hope" <b>+100%</b> #1 = \'ja\'? 🙏 שלום';

function linksOf(
  changes: Partial<CalendarEvent> = {},
): Record<'google' | 'outlook' | 'office365' | 'yahoo', URL> {
  const result = calendarLinks({
    uid: 'u',
    status: 'confirmed',
    title: hostile,
    description: `one ${hostile}\r\ntwo`,
    location: hostile,
    startsAt: Date.UTC(2026, 2, 8, 17),
    durationMinutes: 90,
    zone: 'America/New_York',
    organizer: { email: 'support@italk.example' },
    attendees: [{ email: 'ann+church@example.org' }, { email: 'grace@example.org' }],
    ...changes,
  });
  if (!result.ok) throw new Error(result.problem);
  const { google, outlook, office365, yahoo } = result.links;
  for (const link of [google, outlook, office365, yahoo]) expect(link).toMatch(/^https:\/\/[\x21-\x7e]+$/);
  for (const link of [google, outlook, office365, yahoo]) expect(link).not.toMatch(/[+"'<>]/);
  return {
    google: new URL(google),
    outlook: new URL(outlook),
    office365: new URL(office365),
    yahoo: new URL(yahoo),
  };
}

describe('calendar links', () => {
  test('Google', () => {
    const { google } = linksOf();
    expect(google.origin + google.pathname).toBe('https://calendar.google.com/calendar/render');
    expect(Object.fromEntries(google.searchParams)).toEqual({
      action: 'TEMPLATE',
      text: hostile,
      details: `one ${hostile}\ntwo`,
      location: hostile,
      dates: '20260308T170000Z/20260308T183000Z',
      ctz: 'America/New_York',
      add: 'ann+church@example.org,grace@example.org',
    });
  });

  test('Outlook and Office 365, with an HTML body', () => {
    const { outlook, office365 } = linksOf();
    expect(outlook.origin + outlook.pathname).toBe('https://outlook.live.com/calendar/0/deeplink/compose');
    expect(office365.origin + office365.pathname).toBe(
      'https://outlook.office.com/calendar/0/deeplink/compose',
    );
    expect(office365.search).toBe(outlook.search);
    expect(Object.fromEntries(outlook.searchParams)).toEqual({
      path: '/calendar/action/compose',
      rru: 'addevent',
      subject: hostile,
      body: `one ${hostile.replace('&', '&amp;').replace('<b>', '&lt;b&gt;').replace('</b>', '&lt;/b&gt;')}<br>two`,
      location: hostile,
      startdt: '2026-03-08T17:00:00Z',
      enddt: '2026-03-08T18:30:00Z',
      to: 'ann+church@example.org,grace@example.org',
    });
  });

  test('Yahoo', () => {
    const { yahoo } = linksOf();
    expect(yahoo.origin + yahoo.pathname).toBe('https://calendar.yahoo.com/');
    expect(Object.fromEntries(yahoo.searchParams)).toEqual({
      v: '60',
      title: hostile,
      desc: `one ${hostile}\ntwo`,
      in_loc: hostile,
      st: '20260308T170000Z',
      et: '20260308T183000Z',
      inv_list: 'ann+church@example.org,grace@example.org',
    });
  });

  test('omits the guest parameter without guests', () => {
    const links = linksOf({ attendees: [] });
    expect(links.google.searchParams.has('add')).toBe(false);
    expect(links.outlook.searchParams.has('to')).toBe(false);
    expect(links.yahoo.searchParams.has('inv_list')).toBe(false);
  });

  test('makes a link from malformed text', () => {
    expect(linksOf({ title: 'a\ud800b\r\nc\u0000' }).google.searchParams.get('text')).toBe('a\ufffdb c');
  });

  test('rejects an event with both an end and a duration', () => {
    expect(
      calendarLinks({
        uid: 'u',
        status: 'confirmed',
        title: 'x',
        description: '',
        location: '',
        startsAt: 0,
        endsAt: 1000,
        durationMinutes: 1,
        zone: 'UTC',
        organizer: { email: 'support@italk.example' },
      }),
    ).toEqual({ ok: false, problem: 'end_and_duration' });
  });
});
