import { m } from '#/texts/messages.js';
import type { BackupsOverview, BackupView } from '../contract.ts';

const numbers = new Intl.NumberFormat('en-US');

export function figureText(value: number): string {
  return numbers.format(value);
}

const sizes = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;

/** For example `12.5 MB`. */
export function sizeText(bytes: number): string {
  const [unit, one] = sizes.find(([, least]) => bytes >= least) ?? sizes[2];
  const style = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat('en-US', style).format(bytes / one);
}

/** For example `3 min`; null while running. */
export function durationText({ startedAt, finishedAt }: BackupView): string | null {
  if (!startedAt || !finishedAt) return null;
  const seconds = Math.max(1, Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000));
  const long = seconds >= 120;
  const style = { style: 'unit', unit: long ? 'minute' : 'second' } as const;
  return new Intl.NumberFormat('en-US', style).format(long ? Math.round(seconds / 60) : seconds);
}

export function frequencyText(frequency: BackupsOverview['frequency']): string {
  return {
    hourly: m.backups_hourly,
    daily: m.backups_daily,
    weekly: m.backups_weekly,
    monthly: m.backups_monthly,
  }[frequency]();
}

export function stateText({ state, removed }: BackupView): string {
  if (removed) return m.backups_removed();
  return {
    waiting: m.backups_waiting,
    running: m.web_in_progress,
    done: m.backups_done,
    failed: m.backups_failed,
  }[state]();
}

export function originText({ origin, by }: BackupView): string {
  return {
    schedule: m.backups_by_schedule,
    person: () => by ?? m.backups_by_erased(),
    command: m.backups_by_command,
  }[origin]();
}

export function reasonText(reason: NonNullable<BackupView['reason']>): string {
  return {
    interrupted: m.backups_reason_interrupted,
    stopped: m.backups_reason_stopped,
    disk_full: m.backups_reason_disk_full,
    folder: m.backups_reason_folder,
    database: m.backups_reason_database,
    files: m.backups_reason_files,
    incomplete: m.backups_reason_incomplete,
    unknown: m.backups_reason_unknown,
  }[reason]();
}
