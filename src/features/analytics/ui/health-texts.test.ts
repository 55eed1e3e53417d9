import { expect, test } from 'vitest';
import type { HealthView } from '../contract.ts';
import { partTexts } from './health-texts.ts';

const health: HealthView = {
  checkedAt: '2026-03-02T12:00:00Z',
  percent: 100,
  database: { well: true, milliseconds: 2 },
  queue: { well: true, oldestSeconds: null, failed: 0 },
  mail: { well: false, sends: true, unsent: 0, oldestSeconds: null, undelivered: 2, lastFailureAt: null },
  disk: { well: true, freeBytes: 20 * 1024 ** 3, totalBytes: 100 * 1024 ** 3, writable: true },
  backups: { well: true, frequency: 'daily', lastDoneAt: null, overdue: false, failures: 0, reason: null },
  audit: { well: true, checkedAt: null, entries: 0, broken: false, guarded: true },
  schedules: { well: true, tasks: [] },
  errors: { well: true, lastHour: 0 },
};

test('links to undelivered email only when there is any', () => {
  const mailOf = (undelivered: number) =>
    partTexts({ ...health, mail: { ...health.mail, undelivered } }, 'UTC').find(({ id }) => id === 'mail')!;
  expect(mailOf(2)).toMatchObject({
    text: '2 emails couldn’t be delivered.',
    action: { label: 'Review undelivered email', to: '/admin/undelivered' },
  });
  expect(mailOf(0).action).toBeUndefined();
});

type Task = HealthView['schedules']['tasks'][number];

const cleanup: Task = {
  name: 'tidy',
  everySeconds: 3_600,
  startedAt: '2026-03-02T11:30:00Z',
  endedAt: '2026-03-02T11:30:02Z',
  milliseconds: 2_000,
  failing: false,
  failedAt: null,
};
const scheduled = (...tasks: Task[]) => {
  const schedules = { well: !tasks.some(({ failing }) => failing), tasks };
  return partTexts({ ...health, schedules }, 'UTC').find(({ id }) => id === 'schedules')!;
};

test.each<[string, Partial<Task>, string]>([
  ['a run', {}, 'Runs every hour. The last run ended at 11:30 AM, after 2 seconds.'],
  [
    'a short run',
    { everySeconds: 10, milliseconds: 12 },
    'Runs every 10 seconds. The last run ended at 11:30 AM, after 12 ms.',
  ],
  [
    'a first run that still lasts',
    { everySeconds: 60, endedAt: null, milliseconds: null },
    'Runs every minute. The first run started at 11:30 AM.',
  ],
  [
    'a later run that has lasted long',
    { endedAt: '2026-03-02T10:30:00Z', milliseconds: 1_000 },
    'Runs every hour. The last run ended at 10:30 AM, after one second. Running since 11:30 AM.',
  ],
  [
    'a failure',
    { failing: true, failedAt: '2026-03-02T11:30:02Z' },
    'Runs every hour. The last run failed at 11:30 AM.',
  ],
  [
    'a failure of an earlier day',
    { failedAt: '2026-03-01T09:00:00Z' },
    'Runs every hour. The last run ended at 11:30 AM, after 2 seconds. It last failed at Sun, Mar 1, 9:00 AM, and has worked since.',
  ],
])('tells in words of %s of scheduled work', (_, changes, text) => {
  expect(scheduled({ ...cleanup, ...changes }).tasks).toMatchObject([{ name: 'Cleanup', text }]);
});

test('names the scheduled tasks that are failing, first', () => {
  const failing = { failing: true, failedAt: cleanup.endedAt };
  expect(scheduled(cleanup)).toMatchObject({ well: true, text: 'No tasks are failing.' });
  const one = scheduled(cleanup, { ...cleanup, ...failing, name: 'mornings' });
  expect(one.text).toBe(
    'The last run failed: Morning emails. It will run again on schedule. See “scheduled work failed” in the log.',
  );
  expect(one.tasks!.map(({ name }) => name)).toEqual(['Morning emails', 'Cleanup']);
  const both = scheduled({ ...cleanup, ...failing }, { ...cleanup, ...failing, name: 'mornings' });
  expect(both.text).toContain('The last runs failed: Cleanup, Morning emails.');
});

test('claims an intact audit log only once entries were sealed', () => {
  const auditOf = (audit: object) =>
    partTexts({ ...health, audit: { ...health.audit, ...audit } }, 'UTC').find(({ id }) => id === 'audit')!
      .text;
  const checkedAt = '2026-03-02T12:00:00Z';
  expect(auditOf({})).toBe('Not checked yet. The first check runs automatically.');
  expect(auditOf({ checkedAt })).toMatch(/^No entries sealed yet as of Mon, Mar 2, 12:00.PM\./);
  expect(auditOf({ checkedAt, entries: 7 })).toMatch(/^All 7 entries are intact\./);
});
