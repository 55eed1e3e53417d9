import { expect, it } from 'vitest';
import { timeLabel, timeOfLabel } from './wall-clock.ts';

it('reads and writes every label of the day; 12 AM is 0 and 12 PM stays 12', () => {
  expect(timeLabel(0, 0)).toBe('12:00 AM');
  expect(timeLabel(12, 30)).toBe('12:30 PM');
  expect(timeLabel(9, 0)).toBe('09:00 AM');
  for (let minute = 0; minute < 24 * 60; minute++) {
    const [hour, rest] = [Math.floor(minute / 60), minute % 60];
    expect(timeOfLabel(timeLabel(hour, rest))).toBe(
      `${String(hour).padStart(2, '0')}:${String(rest).padStart(2, '0')}`,
    );
  }
});

it('takes nothing else for a label', () => {
  for (const text of ['9:00 AM', '13:00 PM', '00:30 AM', '09:60 AM', '09:00', '09:00 am', ''])
    expect(timeOfLabel(text)).toBeNull();
});
