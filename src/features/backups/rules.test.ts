import { describe, expect, it } from 'vitest';
import { dueAt, backupsToKeep, type LastBackups } from './rules.ts';

const at = (iso: string) => Temporal.Instant.from(iso);
const now = at('2026-03-11T12:30:00Z');
const none: LastBackups = { doneAt: null, failures: 0, failedAt: null };

describe('the next backup is due', () => {
  it('immediately, if none is done', () => {
    expect(dueAt('monthly', none, now)).toEqual(now);
  });

  it.each([
    ['hourly', '2026-01-31T11:00:00Z'],
    ['daily', '2026-02-01T10:00:00Z'],
    ['weekly', '2026-02-07T10:00:00Z'],
    ['monthly', '2026-02-28T10:00:00Z'],
  ] as const)('%s: one period after the last one started', (frequency, due) => {
    expect(dueAt(frequency, { ...none, doneAt: at('2026-01-31T10:00:00Z') }, now)).toEqual(at(due));
  });

  it.each([
    ['daily', 1, '2026-03-11T12:15:00Z'],
    ['daily', 2, '2026-03-11T12:30:00Z'],
    ['daily', 3, '2026-03-11T13:00:00Z'],
    ['daily', 50, '2026-03-11T18:00:00Z'],
    ['hourly', 50, '2026-03-11T13:00:00Z'],
  ] as const)('%s, after %i failures: later each time, but never late', (frequency, failures, due) => {
    const failedAt = at('2026-03-11T12:00:00Z');
    expect(dueAt(frequency, { doneAt: at('2026-03-01T00:00:00Z'), failures, failedAt }, now)).toEqual(
      at(due),
    );
    expect(dueAt(frequency, { doneAt: null, failures, failedAt }, failedAt)).toEqual(at(due));
  });

  it('no earlier after a requested one failed', () => {
    const last = { doneAt: at('2026-03-11T12:00:00Z'), failures: 1, failedAt: at('2026-03-11T12:10:00Z') };
    expect(dueAt('weekly', last, now)).toEqual(at('2026-03-18T12:00:00Z'));
  });
});

describe('kept backups include', () => {
  const every = (unit: Temporal.DurationLike, count: number, from = now) => {
    const all = [{ at: from }];
    for (let n = 1; n < count; n++)
      all.push({ at: all.at(-1)!.at.toZonedDateTimeISO('UTC').subtract(unit).toInstant() });
    return all;
  };
  const times = (backups: Iterable<{ at: Temporal.Instant }>) =>
    [...backups].map((one) => one.at.toString()).toSorted();

  it('one for each hour of a day, day of a week, four weeks and twelve months', () => {
    const kept = backupsToKeep(every({ minutes: 20 }, 3 * 24 * 500), now);
    const ages = [...kept].map((one) => now.since(one.at).total('hours')).toSorted((a, b) => a - b);
    // The last 24 hours touch 25 clock hours; 7 days touch 8 dates.
    expect(ages.filter((age) => age <= 24)).toHaveLength(25);
    expect(ages.filter((age) => age > 24 && age <= 168)).toHaveLength(6);
    const weeks = [...kept]
      .map((one) => one.at.toZonedDateTimeISO('UTC'))
      .map((one) => `${one.yearOfWeek}-${one.weekOfYear}`);
    expect(new Set(weeks).size).toBeGreaterThanOrEqual(5);
    const months = [...kept].map((one) => one.at.toString().slice(0, 7));
    expect(new Set(months).size).toBe(13);
    expect(kept.size).toBeLessThan(50);
  });

  it('the newest of each period', () => {
    const kept = backupsToKeep(
      [
        '2026-03-11T12:20:00Z',
        '2026-03-11T12:05:00Z',
        '2026-03-11T11:59:00Z',
        '2026-03-09T23:00:00Z',
        '2026-03-09T01:00:00Z',
      ].map((iso) => ({ at: at(iso) })),
      now,
    );
    expect(times(kept)).toEqual(['2026-03-09T23:00:00Z', '2026-03-11T11:59:00Z', '2026-03-11T12:20:00Z']);
  });

  it('the newest of all, however old', () => {
    const old = every({ days: 1 }, 5, at('2020-01-05T00:00:00Z'));
    expect(times(backupsToKeep(old, now))).toEqual(['2020-01-05T00:00:00Z']);
    expect(backupsToKeep([], now).size).toBe(0);
  });
});
