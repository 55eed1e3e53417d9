import { describe, expect, test } from 'vitest';
import { restTimes } from './rules.ts';
import type { Rest } from './contract.ts';

const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;

function shown(rest: Rest, timeZone: string, from: string, to: string): string[] {
  const clock = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant)
      .toZonedDateTimeISO(timeZone)
      .toPlainDateTime()
      .round('minute')
      .toString({ smallestUnit: 'minute' });
  return restTimes(rest, timeZone, { start: at(from), end: at(to) }).map(
    ({ start, end }) => `${clock(start)} ${clock(end)}`,
  );
}

const sunday: Rest = { kind: 'sunday', place: null };

function sabbath(latitude: number, longitude: number, timeZone: string | null = null): Rest {
  return { kind: 'sabbath', place: { name: 'Here', latitude, longitude, timeZone } };
}

test('has no rest without a rule or in an empty span', () => {
  const none: Rest = { kind: 'none', place: null };
  expect(shown(none, 'UTC', '2026-03-01T00:00Z', '2026-04-01T00:00Z')).toEqual([]);
  expect(shown(sunday, 'UTC', '2026-03-01T12:00Z', '2026-03-01T12:00Z')).toEqual([]);
});

test('a Sunday lasts the whole date, even across a DST change', () => {
  expect(shown(sunday, 'America/New_York', '2026-03-01T12:00Z', '2026-03-09T03:59Z')).toEqual([
    '2026-03-01T00:00 2026-03-02T00:00',
    '2026-03-08T00:00 2026-03-09T00:00',
  ]);
  const [change] = restTimes(sunday, 'America/New_York', {
    start: at('2026-03-08T12:00Z'),
    end: at('2026-03-08T13:00Z'),
  });
  expect((change!.end - change!.start) / 3_600_000).toBe(23);
});

describe('a Sabbath lasts from Friday’s sunset to Saturday’s', () => {
  test.each([
    ['Jerusalem', 31.778, 35.235, 'Asia/Jerusalem', '2026-03-20', '17:50', '17:51'],
    ['Auckland', -36.85, 174.76, 'Pacific/Auckland', '2026-12-18', '20:38', '20:39'],
    ['Honolulu', 21.31, -157.86, 'Pacific/Honolulu', '2026-06-19', '19:16', '19:16'],
    ['Kiritimati', 1.87, -157.43, 'Pacific/Kiritimati', '2026-03-20', '18:41', '18:40'],
    ['Apia', -13.83, -171.77, 'Pacific/Apia', '2026-03-20', '18:38', '18:38'],
    ['Kashgar, on Beijing’s clocks', 39.47, 75.99, 'Asia/Shanghai', '2026-06-19', '22:26', '22:26'],
  ])('in %s', (_, latitude, longitude, timeZone, friday, from, to) => {
    const saturday = Temporal.PlainDate.from(friday).add({ days: 1 }).toString();
    const span = [friday, Temporal.PlainDate.from(friday).add({ days: 2 }).toString()].map((date) =>
      Temporal.PlainDate.from(date).toZonedDateTime(timeZone).toInstant().toString(),
    );
    expect(shown(sabbath(latitude, longitude), timeZone, span[0]!, span[1]!)).toEqual([
      `${friday}T${from} ${saturday}T${to}`,
    ]);
  });

  test('in the location’s own time zone', () => {
    // The Sabbath begins in Jerusalem on Honolulu's Friday morning.
    expect(
      shown(
        sabbath(31.778, 35.235, 'Asia/Jerusalem'),
        'Pacific/Honolulu',
        '2026-03-19T00:00Z',
        '2026-03-23T00:00Z',
      ),
    ).toEqual(['2026-03-20T05:50 2026-03-21T05:51']);
  });

  test('and a sunset after midnight still belongs to Friday', () => {
    expect(
      shown(sabbath(64.84, -147.72), 'America/Anchorage', '2026-06-18T00:00Z', '2026-06-23T00:00Z'),
    ).toEqual(['2026-06-20T00:48 2026-06-21T00:48']);
  });

  test('and starts at 18:00 where the sun doesn’t set', () => {
    expect(shown(sabbath(69.65, 18.96), 'Europe/Oslo', '2026-06-18T00:00Z', '2026-06-22T00:00Z')).toEqual([
      '2026-06-19T18:00 2026-06-20T18:00',
    ]);
    expect(shown(sabbath(90, 0), 'UTC', '2026-12-18T00:00Z', '2026-12-20T00:00Z')).toEqual([
      '2026-12-18T18:00 2026-12-19T18:00',
    ]);
  });
});

test('finds a rest from any moment within it', () => {
  const rest = sabbath(31.778, 35.235);
  for (const moment of ['2026-03-20T15:52Z', '2026-03-21T00:00Z', '2026-03-21T15:50Z']) {
    const span = { start: at(moment), end: at(moment) + 1 };
    expect(restTimes(rest, 'Asia/Jerusalem', span)).toHaveLength(1);
  }
  for (const moment of ['2026-03-20T15:50Z', '2026-03-21T15:53Z']) {
    const span = { start: at(moment), end: at(moment) + 1 };
    expect(restTimes(rest, 'Asia/Jerusalem', span)).toEqual([]);
  }
});
