import { frequencyText, reasonText } from '#/features/backups/ui/backup-texts.ts';
import { m } from '#/texts/messages.js';
import { dateIn, shortDateText, timeText } from '#/web/times.ts';
import type { HealthView } from '../contract.ts';
import { longWait } from '../health/rules.ts';
import { taskName } from './task-names.ts';

export interface PartText {
  id: string;
  name: string;
  well: boolean;
  text: string;
  action?: { label: string; to: string };
  tasks?: TaskText[];
}

type Task = HealthView['schedules']['tasks'][number];

interface TaskText {
  name: string;
  failing: boolean;
  text: string;
}

export function partTexts(health: HealthView, zone: string): PartText[] {
  const { database, queue, mail, disk, backups, audit, schedules, errors } = health;
  return [
    { id: 'database', name: m.health_database(), well: database.well, text: databaseText(database) },
    { id: 'queue', name: m.health_queue(), well: queue.well, text: queueText(queue) },
    {
      id: 'mail',
      name: m.health_mail(),
      well: mail.well,
      text: mailText(mail, zone),
      ...(mail.undelivered > 0 && {
        action: { label: m.health_mail_review(), to: '/admin/undelivered' },
      }),
    },
    { id: 'disk', name: m.health_disk(), well: disk.well, text: diskText(disk) },
    {
      id: 'backups',
      name: m.health_backups(),
      well: backups.well,
      text: backupsText(backups, health.checkedAt),
    },
    { id: 'audit', name: m.health_audit(), well: audit.well, text: auditText(audit, zone) },
    {
      id: 'schedules',
      name: m.health_schedules(),
      well: schedules.well,
      text: schedulesText(schedules),
      tasks: taskTexts(health, zone),
    },
    { id: 'errors', name: m.health_errors(), well: errors.well, text: errorsText(errors) },
  ];
}

export function healthLine(health: HealthView, zone: string): string {
  const unwell = partTexts(health, zone).filter(({ well }) => !well);
  if (unwell.length === 0) return m.health_all_well();
  return m.health_unwell_note({ parts: unwell.map(({ name }) => name).join(', ') });
}

function databaseText({ well, milliseconds: ms }: HealthView['database']): string {
  return well ? m.health_database_well({ ms }) : m.health_database_slow({ ms });
}

function queueText({ oldestSeconds, failed }: HealthView['queue']): string {
  const time = spanText(oldestSeconds ?? 0);
  const lines = [];
  if (failed > 0) {
    lines.push(m.health_queue_gave_up({ count: failed }));
  }
  if (oldestSeconds !== null) {
    lines.push(oldestSeconds < longWait ? m.health_queue_soon({ time }) : m.health_queue_waits({ time }));
  }
  return lines.length === 0 ? m.health_queue_well() : lines.join(' ');
}

function mailText(
  { sends, unsent, oldestSeconds, undelivered, lastFailureAt }: HealthView['mail'],
  zone: string,
): string {
  if (!sends) return m.health_mail_tray();
  const time = spanText(oldestSeconds ?? 0);
  const lines = [
    ...(unsent === 0 && undelivered === 0 ? [m.health_mail_well()] : []),
    ...(unsent > 0 ? [m.health_mail_waits({ count: unsent, time })] : []),
    ...(undelivered > 0 ? [m.health_mail_undelivered({ count: undelivered })] : []),
    ...(lastFailureAt ? [m.health_mail_last_failure({ time: timeText(lastFailureAt, zone) })] : []),
  ];
  return lines.join(' ');
}

function diskText({ freeBytes, totalBytes, writable, well }: HealthView['disk']): string {
  const sizes = { free: sizeText(freeBytes), total: sizeText(totalBytes) };
  if (!writable) return m.health_disk_unwritable();
  return well ? m.health_disk_well(sizes) : m.health_disk_full(sizes);
}

function backupsText(
  { frequency, lastDoneAt, overdue, failures, reason }: HealthView['backups'],
  checkedAt: string,
): string {
  const seconds = lastDoneAt === null ? 0 : (Date.parse(checkedAt) - Date.parse(lastDoneAt)) / 1_000;
  const time = spanText(Math.max(0, Math.round(seconds)));
  const lines: string[] = [lastDoneAt === null ? m.health_backups_none() : m.health_backups_age({ time })];
  if (overdue) lines.push(frequencyText(frequency), m.health_backups_overdue());
  if (failures > 0) {
    lines.push(m.health_backups_failed({ count: failures }), reasonText(reason ?? 'unknown'));
  }
  return lines.join(' ');
}

function auditText({ guarded, ...check }: HealthView['audit'], zone: string): string {
  return [checkText(check, zone), ...(guarded ? [] : [m.health_audit_unguarded()])].join(' ');
}

function checkText(
  { checkedAt, entries, broken }: Omit<HealthView['audit'], 'well' | 'guarded'>,
  zone: string,
): string {
  if (checkedAt === null) return m.health_audit_unchecked();
  const time = `${shortDateText(checkedAt, zone)}, ${timeText(checkedAt, zone)}`;
  if (broken) return m.health_audit_broken({ time });
  return entries === 0 ? m.health_audit_unsealed({ time }) : m.health_audit_whole({ time, entries });
}

function schedulesText({ tasks }: HealthView['schedules']): string {
  const failing = tasks.filter((task) => task.failing).map(({ name }) => taskName(name));
  if (failing.length === 0) return m.health_schedules_well();
  return m.health_schedules_failing({ count: failing.length, tasks: failing.join(', ') });
}

function taskTexts({ schedules, checkedAt }: HealthView, zone: string): TaskText[] {
  return schedules.tasks
    .map((task) => ({
      name: taskName(task.name),
      failing: task.failing,
      text: taskText(task, checkedAt, zone),
    }))
    .toSorted((one, other) => Number(other.failing) - Number(one.failing));
}

/** Seconds after which a run that still lasts is worth saying. */
const longRun = 60;

function taskText(
  { everySeconds, startedAt, endedAt, milliseconds, failing, failedAt }: Task,
  checkedAt: string,
  zone: string,
): string {
  const when = (instant: string) =>
    dateIn(instant, zone) === dateIn(checkedAt, zone)
      ? timeText(instant, zone)
      : `${shortDateText(instant, zone)}, ${timeText(instant, zone)}`;
  const lines = [everyText(everySeconds)];
  if (endedAt === null) lines.push(m.health_task_first({ time: when(startedAt) }));
  else if (failing) lines.push(m.health_task_failing({ time: when(endedAt) }));
  else lines.push(m.health_task_last({ time: when(endedAt), span: shortSpan(milliseconds ?? 0) }));
  const lasts = endedAt !== null && Date.parse(startedAt) > Date.parse(endedAt);
  if (lasts && Date.parse(checkedAt) - Date.parse(startedAt) > longRun * 1_000)
    lines.push(m.health_task_running({ time: when(startedAt) }));
  if (failedAt !== null && !failing) lines.push(m.health_task_failed({ time: when(failedAt) }));
  return lines.join(' ');
}

function everyText(seconds: number): string {
  if (seconds === 60) return m.health_task_every_minute();
  if (seconds === 3_600) return m.health_task_every_hour();
  return m.health_task_every({ time: spanText(seconds) });
}

function shortSpan(milliseconds: number): string {
  return milliseconds < 1_000
    ? m.health_milliseconds({ count: milliseconds })
    : spanText(Math.round(milliseconds / 1_000));
}

function errorsText({ lastHour: count }: HealthView['errors']): string {
  if (count === 0) return m.health_errors_well();
  return m.health_errors_some({ count });
}

function spanText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return m.health_days({ count: days });
  if (hours > 0) return m.health_hours({ count: hours });
  if (minutes > 0) return m.health_minutes({ count: minutes });
  return m.health_seconds({ count: seconds });
}

function sizeText(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3;
  return gigabytes < 1 ? `${Math.round(gigabytes * 1024)} MB` : `${Math.round(gigabytes)} GB`;
}
