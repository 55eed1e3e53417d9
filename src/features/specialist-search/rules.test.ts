import { expect, test } from 'vitest';
import { latestStart, lengthOffered, timeFits } from './rules.ts';

const hour = 3_600_000;

function shown(instant: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
}

test('picks the requested length, the next longer, or the longest', () => {
  expect(lengthOffered([90, 30, 60], 60)).toBe(60);
  expect(lengthOffered([90, 30], 60)).toBe(90);
  expect(lengthOffered([30, 45], 60)).toBe(45);
  expect(lengthOffered([], 60)).toBe(60);
});

const zones = [
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'Atlantic/Azores',
];
const nows = ['2026-03-07T23:30:00Z', '2026-03-28T10:00:00Z', '2026-10-31T22:00:00Z', '2026-12-31T12:00:00Z'];

test.each(zones)('matches times by the dates and clock of %s', (zone) => {
  for (const iso of nows) {
    const now = Date.parse(iso);
    const today = shown(now, zone).toPlainDate();
    for (let start = now; start < now + 14 * 24 * hour; start += hour / 2) {
      const local = shown(start, zone);
      const days = today.until(local.toPlainDate()).days;
      const expected = {
        tomorrow: days <= 1,
        three_days: days <= 3,
        week: days <= 7,
        evenings: local.hour >= 17,
        weekends: local.dayOfWeek >= 6,
      };
      for (const [time, fits] of Object.entries(expected))
        expect(timeFits(time as keyof typeof expected, zone, now)(start), `${time} ${local.toString()}`).toBe(
          fits,
        );
      expect(timeFits(undefined, zone, now)(start)).toBe(true);
    }
  }
});

test('sets a last day for some time filters only', () => {
  expect(latestStart('tomorrow', 'America/New_York', Date.parse('2026-03-07T12:00:00Z'))).toBe(
    Date.parse('2026-03-09T04:00:00Z'),
  );
  expect(latestStart('evenings', 'America/New_York', 0)).toBeNull();
  expect(latestStart(undefined, 'America/New_York', 0)).toBeNull();
});
