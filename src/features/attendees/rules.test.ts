import { describe, expect, test } from 'vitest';
import {
  invitationState,
  isForSeveral,
  placesLeft,
  plainFirstName,
  refuseInviting,
  refuseSending,
} from './rules.ts';

const minute = 60_000;
const start = Date.parse('2026-03-09T14:00:00Z');
const session = { status: 'confirmed', serviceId: 'families', start, end: start + 60 * minute } as const;

test('allows guests only for couples and families', () => {
  const services = ['individuals', 'couples', 'families', 'teens', 'grief', 'spiritual'];
  expect(services.filter(isForSeveral)).toEqual(['couples', 'families']);
});

test.each([
  ['a session for one person', { serviceId: 'grief' }, start - minute, 'not_for_several'],
  ['one that is cancelled', { status: 'cancelled' }, start - minute, 'wrong_status'],
  ['one that took place', { status: 'completed' }, start - minute, 'wrong_status'],
  ['one that waits for an answer', { status: 'pending' }, start - minute, null],
  ['one that begins in a millisecond', {}, start - 1, null],
  ['one that begins now', {}, start, 'already_started'],
] as const)('to %s: %o at %o', (_, changed, now, refusal) => {
  expect(refuseInviting({ ...session, ...changed }, now)).toBe(refusal);
});

test('leaves places for four guests', () => {
  expect([0, 3, 4, 5].map(placesLeft)).toEqual([4, 1, 0, 0]);
});

test('limits invitation emails to three, ten minutes apart, and none after an answer', () => {
  const sent = { state: 'invited', sends: 1, sentAt: start } as const;
  expect(refuseSending(sent, start + 10 * minute)).toBeNull();
  expect(refuseSending(sent, start + 10 * minute - 1)).toBe('just_sent');
  expect(refuseSending({ ...sent, sends: 3 }, start + 60 * minute)).toBe('too_many_sends');
  expect(refuseSending({ ...sent, state: 'declined' }, start + 60 * minute)).toBe('invitation_answered');
});

describe('a link leads', () => {
  const now = start - minute;
  const nobody = { party: false, accepted: false, now };
  test.each([
    ['to the invitation', {}, {}, 'open'],
    ['one of the two to what is theirs already', {}, { party: true }, 'own'],
    ['one of the two there also once it was accepted', { state: 'accepted' }, { party: true }, 'own'],
    ['who accepted it to what they accepted', { state: 'accepted' }, { accepted: true }, 'accepted'],
    ['anybody else to that it is used', { state: 'accepted' }, {}, 'used'],
    ['nowhere once it is withdrawn', { state: 'withdrawn' }, { accepted: true }, 'withdrawn'],
    ['nowhere once it is declined', { state: 'declined' }, {}, 'declined'],
    ['nowhere for who left', { state: 'left' }, { accepted: true }, 'left'],
    ['to that the session is cancelled', { status: 'cancelled' }, {}, 'cancelled'],
    ['also who accepted', { status: 'cancelled', state: 'accepted' }, { accepted: true }, 'cancelled'],
    ['to that it is over by its end', {}, { now: session.end }, 'over'],
    ['to it until its end', {}, { now: session.end - 1 }, 'open'],
    ['to that it is over once it was noted', { status: 'completed' }, {}, 'over'],
  ] as const)('%s', (_, row, asked, state) => {
    const { status, end } = session;
    expect(invitationState({ state: 'invited', status, end, ...row }, { ...nobody, ...asked })).toBe(state);
  });
});

test.each([
  ['Ruth Amsel', 'Ruth'],
  ['  Jean-Luc  Picard', 'Jean-Luc'],
  ['Sinéad O’Connor', 'Sinéad'],
  ['D’Artagnan', 'D’Artagnan'],
  ['יעל כהן', 'יעל'],
  ['evil.example/win now', null],
  ['https://evil.example', null],
  ['www', 'www'],
  ['7 sins', null],
  ['', null],
  ['a'.repeat(41), null],
])('of %s a mail says %s', (fullName, first) => {
  expect(plainFirstName(fullName)).toBe(first);
});
