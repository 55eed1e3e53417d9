import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activeDays, dayIn, lastMonths, progressByMonth } from './rules.ts';

const zones = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'UTC',
] as const;

/** Temporal as an oracle, independent of the arithmetic under test. */
const oracle = (timeZone: string, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString();

const instants = fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2060-01-01') });
const anyZone = fc.constantFrom(...zones);

describe('a day', () => {
  test('follows the zone’s local date', () => {
    fc.assert(
      fc.property(anyZone, instants, (timeZone, instant) => {
        expect(dayIn(timeZone, instant)).toBe(oracle(timeZone, instant));
      }),
    );
  });

  test('changes at midnight, even around DST changes', () => {
    for (const [timeZone, date] of [
      ['America/New_York', '2026-03-08'],
      ['America/New_York', '2026-11-01'],
      ['Europe/Berlin', '2026-03-29'],
      ['Australia/Lord_Howe', '2026-04-05'],
    ] as const) {
      const day = Temporal.PlainDate.from(date);
      const midnight = day.toZonedDateTime(timeZone).epochMilliseconds;
      expect(dayIn(timeZone, midnight - 1)).toBe(day.subtract({ days: 1 }).toString());
      expect(dayIn(timeZone, midnight)).toBe(date);
      const next = day.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
      expect(dayIn(timeZone, next - 1)).toBe(date);
    }
  });
});

describe('active days', () => {
  test('count distinct dates, regardless of activity type or number', () => {
    fc.assert(
      fc.property(anyZone, fc.array(instants), fc.array(instants), (timeZone, acts, written) => {
        const days = written.map((instant) => oracle('UTC', instant));
        const expected = [...days, ...acts.map((instant) => oracle(timeZone, instant))].toSorted();
        const unique = expected.filter((day, index) => day !== expected[index - 1]);
        expect([...activeDays({ instants: acts, days }, timeZone)].toSorted()).toEqual(unique);
      }),
    );
  });

  test('match for an action and the start of its quarter hour', () => {
    const quarter = 15 * 60_000;
    fc.assert(
      fc.property(anyZone, instants, (timeZone, instant) => {
        expect(dayIn(timeZone, Math.floor(instant / quarter) * quarter)).toBe(dayIn(timeZone, instant));
      }),
    );
  });
});

describe('recent months', () => {
  test('are twelve in a row, ending with the zone’s current month', () => {
    fc.assert(
      fc.property(anyZone, instants, (timeZone, now) => {
        const present = Temporal.PlainYearMonth.from(oracle(timeZone, now).slice(0, 7));
        expect(lastMonths(timeZone, now)).toEqual(
          Array.from({ length: 12 }, (_, index) => present.subtract({ months: 11 - index }).toString()),
        );
      }),
    );
  });

  test('hold sessions by start and active days, and nothing older', () => {
    const now = Date.parse('2026-03-20T12:00:00Z');
    // Still February in New York.
    const sessions = ['2026-03-01T04:30:00Z', '2026-03-01T05:30:00Z', '2025-03-31T12:00:00Z'].map(Date.parse);
    const active = new Set(['2026-03-01', '2026-03-02', '2025-04-01', '2025-03-31']);
    const months = progressByMonth(sessions, active, 'America/New_York', now);
    expect(months.map(({ month }) => month)).toEqual(lastMonths('America/New_York', now));
    expect(months.filter((one) => one.sessions + one.activeDays > 0)).toEqual([
      { month: '2025-04', sessions: 0, activeDays: 1 },
      { month: '2026-02', sessions: 1, activeDays: 0 },
      { month: '2026-03', sessions: 1, activeDays: 2 },
    ]);
  });
});
