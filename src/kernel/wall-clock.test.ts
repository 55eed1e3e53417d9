import { expect, it } from 'vitest';
import { timeLabel } from './wall-clock.ts';

it('labels hours as in the spec: 12 AM is midnight, 12 PM is noon', () => {
  expect([0, 1, 9, 11, 12, 13, 18, 23].map((hour) => timeLabel(hour, 30))).toEqual([
    '12:30 AM',
    '01:30 AM',
    '09:30 AM',
    '11:30 AM',
    '12:30 PM',
    '01:30 PM',
    '06:30 PM',
    '11:30 PM',
  ]);
  expect(timeLabel(9, 0)).toBe('09:00 AM');
});
