import type { BackupsOverview } from './contract.ts';

type Frequency = BackupsOverview['frequency'];

/** What became of the last backups. */
export interface LastBackups {
  /** When the last one that is whole was begun. */
  doneAt: Temporal.Instant | null;
  /** How many have failed since, and when the last of them ended. */
  failures: number;
  failedAt: Temporal.Instant | null;
}

const periods: Readonly<Record<Frequency, Temporal.DurationLike>> = {
  hourly: { hours: 1 },
  daily: { days: 1 },
  weekly: { days: 7 },
  monthly: { months: 1 },
};

/** What failed is tried again after so many minutes, then after twice as many each time, up to the last. */
const retryMinutes = { first: 15, most: 360 };

/** When the next backup is due: once the last one is older than the period; at once, where there is none. */
export function dueAt(
  frequency: Frequency,
  { doneAt, failures, failedAt }: LastBackups,
  now: Temporal.Instant,
): Temporal.Instant {
  const due = doneAt ? doneAt.toZonedDateTimeISO('UTC').add(periods[frequency]).toInstant() : now;
  if (!failedAt || failures === 0) return due;
  const most = frequency === 'hourly' ? 60 : retryMinutes.most;
  const minutes = Math.min(retryMinutes.first * 2 ** Math.min(failures - 1, 10), most);
  const retry = failedAt.add({ minutes });
  return Temporal.Instant.compare(due, retry) > 0 ? due : retry;
}

/** For how long a backup that is due may take to be there, in minutes. */
const patience = 60;

/** Whether the last whole backup is older than the setting lets it be; a first one that is still to come isn't late. */
export function isOverdue(
  frequency: Frequency,
  doneAt: Temporal.Instant | null,
  now: Temporal.Instant,
): boolean {
  if (!doneAt) return false;
  const due = dueAt(frequency, { doneAt, failures: 0, failedAt: null }, now);
  return Temporal.Instant.compare(due.add({ minutes: patience }), now) < 0;
}

/** Of the last day one of every hour stays, of the last week one of every day, of four weeks one of each, of a year one of every month. */
const tiers: readonly { last: Temporal.DurationLike; of: (at: Temporal.ZonedDateTime) => string }[] = [
  { last: { hours: 24 }, of: (at) => at.toPlainDateTime().toString().slice(0, 13) },
  { last: { days: 7 }, of: (at) => at.toPlainDate().toString() },
  { last: { days: 28 }, of: (at) => `${at.yearOfWeek}-${at.weekOfYear}` },
  { last: { months: 12 }, of: (at) => at.toPlainDate().toPlainYearMonth().toString() },
];

/** The backups that stay: the newest of every hour, day, week and month that is looked back on, and the newest of all. */
export function keptOf<Backup extends { at: Temporal.Instant }>(
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
