import { expect, it } from 'vitest';
import { problemsOf } from './book-draft.ts';

const whole = {
  service: 'grief',
  date: '2026-03-09',
  start: '2026-03-09T13:00:00Z',
  sessionType: 'online' as const,
  name: 'Ruth Lane',
  email: 'ruth@example.org',
  phone: '',
  refusedEmail: null,
};

it('accepts a draft without a phone number', () => {
  expect(problemsOf(whole)).toEqual({});
});

it('reports empty fields in form order, and a missing time only once there’s a date', () => {
  const empty = {
    service: null,
    date: null,
    start: null,
    sessionType: null,
    name: ' ',
    email: '',
    phone: '',
    refusedEmail: null,
  };
  expect(Object.keys(problemsOf(empty))).toEqual(['service', 'date', 'sessionType', 'name', 'email']);
  expect(problemsOf({ ...whole, start: null })).toEqual({ time: 'required' });
});

it('rejects a malformed email and one that was refused before', () => {
  for (const email of ['ruth', 'ruth@', 'ruth@example', 'ru th@example.org']) {
    expect(problemsOf({ ...whole, email })).toEqual({ email: 'format' });
  }
  expect(problemsOf({ ...whole, refusedEmail: whole.email })).toEqual({ email: 'format' });
});

it('accepts phone numbers in common formats', () => {
  for (const phone of ['+1 (555) 010-0142', '555.010.0142 x12', ' 0977/123 '])
    expect(problemsOf({ ...whole, phone })).toEqual({});
  for (const phone of ['call me', '5'.repeat(41)])
    expect(problemsOf({ ...whole, phone })).toEqual({ phone: 'format' });
});

it('requires a full phone number for a phone session', () => {
  const called = { ...whole, sessionType: 'phone' as const };
  expect(problemsOf(called)).toEqual({ phone: 'required' });
  for (const phone of ['911', '+1 (55)', '()-'])
    expect(problemsOf({ ...called, phone })).toEqual({ phone: 'format' });
  expect(problemsOf({ ...called, phone: '+1 617 555 0100' })).toEqual({});
});
