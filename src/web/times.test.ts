import { describe, expect, it } from 'vitest';
import {
  byDate,
  clocksDiffer,
  monthAfter,
  nearDayText,
  plainDateText,
  spanOfMonth,
  startOfDate,
  timeChoices,
  timeText,
  zoneText,
} from './times.ts';

const everyHalfHour = (from: string, count: number) =>
  Array.from({ length: count }, (_, index) => new Date(Date.parse(from) + index * 1_800_000).toISOString());

describe('a day in the client’s zone', () => {
  it('lists the provider’s starts under the client’s date', () => {
    // 18:00 and 18:30 in New York on March 9 are after midnight in Kathmandu.
    const days = byDate(
      ['2026-03-09T17:30:00Z', '2026-03-09T18:15:00Z', '2026-03-09T22:00:00Z'],
      'Asia/Kathmandu',
    );
    expect([...days]).toEqual([
      ['2026-03-09', ['2026-03-09T17:30:00Z']],
      ['2026-03-10', ['2026-03-09T18:15:00Z', '2026-03-09T22:00:00Z']],
    ]);
  });

  it('has 46 half hours when DST starts and 50 when it ends, all unique', () => {
    const spring = byDate(everyHalfHour('2026-03-07T00:00:00Z', 200), 'America/New_York');
    const autumn = byDate(everyHalfHour('2026-10-31T00:00:00Z', 200), 'America/New_York');
    expect(spring.get('2026-03-08')).toHaveLength(46);
    expect(autumn.get('2026-11-01')).toHaveLength(50);
    for (const [date, day] of [...spring, ...autumn]) {
      const labels = timeChoices(day, 'America/New_York').map(({ label }) => label);
      expect({ date, labels: [...new Set(labels)] }).toEqual({ date, labels });
    }
  });

  it('names the zone only for repeated labels', () => {
    const twice = ['2026-11-01T04:30:00Z', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'];
    expect(timeChoices(twice, 'America/New_York').map(({ label }) => label)).toEqual([
      '12:30 AM',
      '01:30 AM EDT',
      '01:30 AM EST',
    ]);
  });

  it('omits the date Apia skipped', () => {
    const days = byDate(everyHalfHour('2011-12-29T00:00:00Z', 200), 'Pacific/Apia');
    expect([...days.keys()]).toEqual(['2011-12-28', '2011-12-29', '2011-12-31', '2012-01-01', '2012-01-02']);
  });
});

describe('labels', () => {
  it('name today and tomorrow by the reader’s clock', () => {
    const now = Date.parse('2026-03-10T03:30:00Z');
    const day = (instant: string) => nearDayText(instant, now, 'America/New_York');
    expect(day('2026-03-10T03:45:00Z')).toBe('Today');
    expect(day('2026-03-10T04:00:00Z')).toBe('Tomorrow');
    expect(day('2026-03-11T13:00:00Z')).toBe('Wed, Mar 11');
    expect(day('2026-03-08T13:00:00Z')).toBe('Sun, Mar 8');
  });

  it('match the spec', () => {
    expect(timeText('2026-03-09T13:00:00Z', 'America/New_York')).toBe('9:00 AM');
    expect(timeText('2026-03-09T16:30:00Z', 'America/New_York')).toBe('12:30 PM');
    expect(timeText('2026-03-09T04:00:00Z', 'America/New_York')).toBe('12:00 AM');
    expect(plainDateText('2026-03-12')).toBe('Thursday, March 12');
    expect(zoneText('America/Argentina/Buenos_Aires')).toBe('Buenos Aires');
  });

  it('name the provider’s zone only if its time differs', () => {
    expect(clocksDiffer('2026-03-09T13:00:00Z', 'America/New_York', 'America/Toronto')).toBe(false);
    expect(clocksDiffer('2026-03-09T13:00:00Z', 'America/New_York', 'America/Chicago')).toBe(true);
    // Same clock time on a different date.
    expect(clocksDiffer('2026-01-09T13:00:00Z', 'Pacific/Kiritimati', 'Pacific/Honolulu')).toBe(true);
  });
});

describe('a month', () => {
  it('is fully covered in the most distant zones', () => {
    for (const month of ['2026-02', '2026-12', '2028-02']) {
      const { from, to } = spanOfMonth(month);
      for (const zone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Kathmandu']) {
        const days = [
          ...byDate(everyHalfHour(from, (Date.parse(to) - Date.parse(from)) / 1_800_000), zone).entries(),
        ];
        const inside = days.filter(([date]) => date.startsWith(month));
        expect({ zone, cut: inside.filter(([, starts]) => starts.length !== 48) }).toEqual({ zone, cut: [] });
        expect(inside[0]?.[0]).toBe(`${month}-01`);
      }
    }
  });

  it('rolls over at the end of the year', () => {
    expect(monthAfter('2026-12')).toBe('2027-01');
    expect(monthAfter('2026-01', 13)).toBe('2027-02');
  });
});

describe('the start of a date', () => {
  it('is midnight in the zone, in summer and winter', () => {
    expect(startOfDate('2026-01-10', 'America/New_York')).toBe('2026-01-10T05:00:00.000Z');
    expect(startOfDate('2026-07-10', 'America/New_York')).toBe('2026-07-10T04:00:00.000Z');
    expect(startOfDate('2026-03-02', 'Asia/Kathmandu')).toBe('2026-03-01T18:15:00.000Z');
    expect(startOfDate('2026-03-02', 'Pacific/Kiritimati')).toBe('2026-03-01T10:00:00.000Z');
  });

  it('is the first minute after a gap at midnight', () => {
    // Beirut's clocks skipped from 00:00 to 01:00.
    expect(startOfDate('2024-03-31', 'Asia/Beirut')).toBe('2024-03-30T22:00:00.000Z');
  });
});
