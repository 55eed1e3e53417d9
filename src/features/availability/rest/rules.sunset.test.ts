import { Body, Observer, SearchRiseSet } from 'astronomy-engine';
import { expect, test } from 'vitest';
import { sampleOf } from '../../../../tests/support/prove.ts';
import { sunsetAfterNoon } from './rules.ts';

const hour = 3_600_000;
const day = 24 * hour;
const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
const shown = (instant: number | null) =>
  instant === null ? null : Temporal.Instant.fromEpochMilliseconds(instant).round('minute').toString();

test('matches another library’s sunsets within two minutes all year, from 65° south to 65° north', () => {
  let furthest = 0;
  for (const latitude of sampleOf([0, 10, 23.4, 35, 45, 52, 58, 62, 65, -20, -45, -65], 5)) {
    for (const longitude of sampleOf([0, 35.2, 139.7, 179.9, -77, -157.4], 2)) {
      const observer = new Observer(latitude, longitude, 0);
      for (let date = 0; date < 366; date += 1) {
        const noon = Date.UTC(2027, 0, 1 + date, 12) - (longitude / 15) * hour;
        const theirs = SearchRiseSet(Body.Sun, observer, -1, new Date(noon), 1)!.date.getTime();
        furthest = Math.max(furthest, Math.abs(sunsetAfterNoon(noon, { latitude, longitude })! - theirs));
      }
    }
  }
  // In practice, seconds.
  expect(furthest / 60_000).toBeLessThan(2);
  expect(furthest / 60_000).toBeLessThan(0.5);
});

test('returns the sunset of the noon closest to the given instant', () => {
  const jerusalem = { latitude: 31.778, longitude: 35.235 };
  const noon = at('2026-03-20T09:42:00Z');
  expect(shown(sunsetAfterNoon(noon, jerusalem))).toBe('2026-03-20T15:50:00Z');
  expect(sunsetAfterNoon(noon + 11 * hour, jerusalem)).toBe(sunsetAfterNoon(noon, jerusalem));
  expect(shown(sunsetAfterNoon(noon + day, jerusalem))).toMatch(/^2026-03-21/);
});

test('returns none during polar day and polar night', () => {
  const tromso = { latitude: 69.65, longitude: 18.96 };
  expect(sunsetAfterNoon(at('2026-06-19T10:45:00Z'), tromso)).toBeNull();
  expect(sunsetAfterNoon(at('2026-12-18T10:45:00Z'), tromso)).toBeNull();
  expect(sunsetAfterNoon(at('2026-03-20T10:45:00Z'), tromso)).not.toBeNull();
});
