import { expect, test } from 'vitest';
import { actionText, actorText, detailsText, kindText } from './rules.ts';

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

test.each([
  ['signed_in', 'Signed in'],
  ['booking.guest_invited', 'Invited a guest to a session'],
  ['care.private_note_written', 'Wrote a private note'],
  ['booking.no_longer_done', 'Booking: no longer done'],
  ['toString', 'To string'],
  ['refused.booking.freeStarts', 'Refused: booking free starts'],
  ['refused.download.admin/audit-log.csv', 'Refused: download admin/audit log csv'],
])('%s is told as “%s”', (action, text) => {
  expect(actionText(action)).toBe(text);
});

test('names every kind of actor', () => {
  expect(actorText({ kind: 'person', name: 'Naomi Weiss' })).toBe('Naomi Weiss');
  expect(actorText({ kind: 'person', name: null })).toBe('Deleted account');
  expect(actorText({ kind: 'guest', name: null })).toBe('Guest');
  expect(actorText({ kind: 'job', name: 'tidy' })).toBe('iTalk (tidy)');
  expect(actorText({ kind: 'system', name: null })).toBe('iTalk');
  expect(actorText({ kind: 'site_token', name: 'Front desk' })).toBe('API token (Front desk)');
  expect(actorText({ kind: 'site_token', name: null })).toBe('Deleted API token');
});

test('describes details in words, without ids or versions', () => {
  const details = {
    by: 'mailed_link',
    sessions: 4,
    goals: true,
    profile: false,
    offerId: id,
    version: 7,
    region: null,
    words: '',
  };
  expect(detailsText({ subject: { kind: 'session_note', name: null }, details })).toBe(
    'Session note · By: mailed link · Sessions: 4 · Goals: yes · Profile: no',
  );
  expect(detailsText({ subject: { kind: 'person', name: 'Naomi Weiss' }, details: {} })).toBe('Naomi Weiss');
  expect(
    detailsText({
      subject: { kind: 'booking', name: 'Ruth Amsel' },
      details: { by: 'client', sessions: 1, recurrence: 'one_time' },
    }),
  ).toBe('Booking: Ruth Amsel · By: client');
  expect(detailsText({ subject: null, details: {} })).toBe('');
});

test('makes searchable only what all entries of a kind have in common', () => {
  const text = kindText({
    actor: { kind: 'job', name: 'expiry' },
    action: 'booking.expired',
    subjectKind: 'appointment',
    details: { reason: 'no_answer', sessions: 4, day: '05-05', offerId: id, price: 'none → 30 min: 5000' },
  });
  for (const words of [
    'italk (expiry)',
    'booking.expired',
    'let an unconfirmed session expire',
    'appointment',
    'reason: no answer',
  ])
    expect(text).toContain(words);
  for (const words of ['sessions', '4', '05-05', id, '5000']) expect(text).not.toContain(words);
});
