import type { BackupsOverview } from './contract.ts';

type Frequency = BackupsOverview['frequency'];

export interface LastBackups {
  doneAt: Temporal.Instant | null;
  /** Since then; `failedAt`: when the latest ended. */
  failures: number;
  failedAt: Temporal.Instant | null;
}

const periods: Readonly<Record<Frequency, Temporal.DurationLike>> = {
  hourly: { hours: 1 },
  daily: { days: 1 },
  weekly: { days: 7 },
  monthly: { months: 1 },
};

/** Retry backoff in minutes: doubles after each failure, up to `max` (60 for hourly backups). */
const retryMinutes = { first: 15, max: 360 };

/** Returns the next due time: one period after the last backup, or now if none exists. */
export function dueAt(
  frequency: Frequency,
  { doneAt, failures, failedAt }: LastBackups,
  now: Temporal.Instant,
): Temporal.Instant {
  const due = doneAt ? doneAt.toZonedDateTimeISO('UTC').add(periods[frequency]).toInstant() : now;
  if (!failedAt || failures === 0) return due;
  const max = frequency === 'hourly' ? 60 : retryMinutes.max;
  const minutes = Math.min(retryMinutes.first * 2 ** Math.min(failures - 1, 10), max);
  const retry = failedAt.add({ minutes });
  return Temporal.Instant.compare(due, retry) > 0 ? due : retry;
}

/** Minutes a due backup may take before it counts as overdue. */
const patience = 60;

/** Returns whether the last complete backup is overdue. A pending first backup is never late. */
export function isOverdue(
  frequency: Frequency,
  doneAt: Temporal.Instant | null,
  now: Temporal.Instant,
): boolean {
  if (!doneAt) return false;
  const due = dueAt(frequency, { doneAt, failures: 0, failedAt: null }, now);
  return Temporal.Instant.compare(due.add({ minutes: patience }), now) < 0;
}

/** Retention: hourly for a day, daily for a week, weekly for four weeks, monthly for a year. */
const tiers: readonly { last: Temporal.DurationLike; of: (at: Temporal.ZonedDateTime) => string }[] = [
  { last: { hours: 24 }, of: (at) => at.toPlainDateTime().toString().slice(0, 13) },
  { last: { days: 7 }, of: (at) => at.toPlainDate().toString() },
  { last: { days: 28 }, of: (at) => `${at.yearOfWeek}-${at.weekOfYear}` },
  { last: { months: 12 }, of: (at) => at.toPlainDate().toPlainYearMonth().toString() },
];

/** Selects backups to keep: the newest of each retention period, plus the newest overall. */
export function backupsToKeep<Backup extends { at: Temporal.Instant }>(
  backups: readonly Backup[],
  now: Temporal.Instant,
): Set<Backup> {
  const newestFirst = backups.toSorted((a, b) => Temporal.Instant.compare(b.at, a.at));
  const kept = new Set(newestFirst.slice(0, 1));
  const zoned = now.toZonedDateTimeISO('UTC');
  for (const { last, of } of tiers) {
    const since = zoned.subtract(last).toInstant();
    const seen = new Set<string>();
    for (const backup of newestFirst) {
      if (Temporal.Instant.compare(backup.at, since) < 0) break;
      const key = of(backup.at.toZonedDateTimeISO('UTC'));
      if (seen.has(key)) continue;
      seen.add(key);
      kept.add(backup);
    }
  }
  return kept;
}
