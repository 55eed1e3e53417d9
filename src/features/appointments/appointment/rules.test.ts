import { expect, test } from 'vitest';
import type { AppointmentStatus } from './contract.ts';
import { allowedActions, refuseAction, type Party } from './rules.ts';

const hour = 3_600_000;
const start = Date.parse('2026-02-23T20:00:00Z');

function query(
  status: AppointmentStatus,
  party: Party,
  hoursFromStart: number,
  kind: 'follow-up' | 'emergency' = 'follow-up',
) {
  return {
    appointment: { status, kind, start, end: start + hour },
    party,
    now: start + hoursFromStart * hour,
    cancellationDeadlineHours: 2,
  };
}

test.each([
  ['pending', 'client', -3, ['reschedule', 'cancel', 'set_reminder']],
  ['pending', 'client', -2, ['reschedule', 'cancel', 'set_reminder']],
  ['pending', 'client', -1.9, ['set_reminder']],
  ['pending', 'client', 0, []],
  ['pending', 'provider', -1, ['reschedule', 'confirm', 'decline', 'mark_emergency']],
  ['pending', 'provider', 0, ['decline', 'mark_emergency']],
  ['confirmed', 'client', -3, ['reschedule', 'cancel', 'set_reminder']],
  ['confirmed', 'client', -1, ['set_reminder']],
  ['confirmed', 'provider', -1, ['reschedule', 'cancel', 'mark_emergency']],
  ['confirmed', 'provider', 0, ['complete', 'mark_no_show', 'mark_emergency']],
  ['confirmed', 'provider', 48, ['complete', 'mark_no_show', 'mark_emergency']],
  ...(['completed', 'cancelled', 'no_show'] as const).flatMap((status) =>
    (['client', 'provider'] as const).map((party) => [status, party, -3, []] as const),
  ),
] as const)(
  'a session that is %s: the %s, %s hours from its start, may %j',
  (status, party, hours, expected) => {
    expect(allowedActions(query(status, party, hours))).toEqual(expected);
  },
);

test('attributes a refusal to the person, the status or the time', () => {
  expect(refuseAction('confirm', query('pending', 'client', -3))).toEqual({
    code: 'forbidden',
    reason: 'not_your_part',
  });
  expect(refuseAction('cancel', query('cancelled', 'client', 5))).toEqual({
    code: 'conflict',
    reason: 'wrong_status',
  });
  expect(refuseAction('cancel', query('confirmed', 'client', -1))).toEqual({
    code: 'precondition',
    reason: 'deadline_passed',
  });
  expect(refuseAction('cancel', query('confirmed', 'provider', 0))).toEqual({
    code: 'precondition',
    reason: 'already_started',
  });
  expect(refuseAction('complete', query('confirmed', 'provider', -0.1))).toEqual({
    code: 'precondition',
    reason: 'not_started',
  });
  expect(refuseAction('confirm', query('pending', 'provider', 0))).toEqual({
    code: 'precondition',
    reason: 'already_started',
  });
  expect(refuseAction('mark_emergency', query('confirmed', 'provider', -1, 'emergency'))).toEqual({
    code: 'conflict',
    reason: 'wrong_status',
  });
});
