import { expect, test } from 'vitest';
import { taskName } from '#/features/analytics/ui/task-names.ts';
import type { Backups } from '#/platform/backup/backups.ts';
import { schedulesOf } from './schedules.ts';

const schedules = schedulesOf({
  appUrl: 'https://italk.example',
  authSecret: 'secret',
  backupDir: '/nowhere',
  backups: {} as Backups,
  auditLog: null,
  clock: { adjust: () => Promise.resolve() },
});

test('keeps each schedule’s interval, under a unique name', () => {
  expect(
    Object.fromEntries(schedules.map(({ name, every }) => [name, Temporal.Duration.from(every).toString()])),
  ).toEqual({
    clock: 'PT5S',
    tidy: 'PT1H',
    outbox: 'PT5S',
    audit: 'PT2S',
    'audit-check': 'PT1H',
    'ways-back': 'PT1M',
    expiry: 'PT1M',
    reminders: 'PT15S',
    openings: 'PT1M',
    presence: 'PT10S',
    mornings: 'PT1M',
    backups: 'PT3S',
    figures: 'PT1M',
  });
  expect(new Set(schedules.map(({ name }) => name)).size).toBe(schedules.length);
});

test('has a text for each schedule in System Health', () => {
  expect(schedules.map(({ name }) => name).filter((name) => taskName(name) === name)).toEqual([]);
});
