import { expect, test } from 'vitest';
import { judged, type Measures } from './rules.ts';

const task = {
  name: 'tidy',
  everySeconds: 3_600,
  startedAt: '2026-03-02T12:00:00Z',
  endedAt: '2026-03-02T12:00:01Z',
  milliseconds: 1_000,
  failing: false,
  failedAt: '2026-03-02T11:00:00Z',
};

const well: Measures = {
  database: { milliseconds: 2 },
  queue: { oldestSeconds: null, failed: 0 },
  mail: { sends: true, unsent: 0, oldestSeconds: null, undelivered: 0, lastFailureAt: null },
  disk: { freeBytes: 20 * 1024 ** 3, totalBytes: 100 * 1024 ** 3, writable: true },
  backups: {
    frequency: 'daily',
    lastDoneAt: '2026-03-02T12:00:00Z',
    overdue: false,
    failures: 0,
    reason: null,
  },
  audit: { checkedAt: '2026-03-02T12:00:00Z', entries: 9, broken: false, guarded: true },
  schedules: { tasks: [] },
  errors: { lastHour: 0 },
};

test('is 100% healthy when every part is', () => {
  const { percent, ...parts } = judged(well);
  expect(percent).toBe(100);
  expect(Object.values(parts).map((part) => part.well)).toEqual(Array.from({ length: 8 }, () => true));
});

test.each<[string, keyof Measures, Partial<Measures>]>([
  ['the database is slow', 'database', { database: { milliseconds: 500 } }],
  ['a job waits too long', 'queue', { queue: { oldestSeconds: 300, failed: 0 } }],
  ['a job was given up', 'queue', { queue: { oldestSeconds: null, failed: 1 } }],
  ['a mail isn’t sent', 'mail', { mail: { ...well.mail, unsent: 1, oldestSeconds: 700 } }],
  ['there is little room', 'disk', { disk: { ...well.disk, freeBytes: 1024 ** 3 - 1 } }],
  ['files can’t be stored', 'disk', { disk: { ...well.disk, writable: false } }],
  ['the last backup is late', 'backups', { backups: { ...well.backups, overdue: true } }],
  ['a backup failed', 'backups', { backups: { ...well.backups, failures: 1, reason: 'folder' } }],
  ['the audit log is broken', 'audit', { audit: { ...well.audit, broken: true } }],
  ['timed work is failing', 'schedules', { schedules: { tasks: [task, { ...task, failing: true }] } }],
  ['an answer failed', 'errors', { errors: { lastHour: 1 } }],
])('where %s, that part alone isn’t well', (_, part, measured) => {
  const { percent, ...parts } = judged({ ...well, ...measured });
  expect(percent).toBe(88);
  expect(Object.entries(parts).flatMap(([name, one]) => (one.well ? [] : [name]))).toEqual([part]);
});

test.each<[string, Partial<Measures>]>([
  ['a first backup that is still to come', { backups: { ...well.backups, lastDoneAt: null } }],
  [
    'an audit log that isn’t checked yet',
    { audit: { checkedAt: null, entries: 0, broken: false, guarded: false } },
  ],
  ['timed work that failed once', { schedules: { tasks: [task] } }],
  ['a job that waits for its turn', { queue: { oldestSeconds: 299, failed: 0 } }],
  [
    'no mail server',
    { mail: { sends: false, unsent: 0, oldestSeconds: null, undelivered: 0, lastFailureAt: null } },
  ],
  [
    'a failure of the mail server that is over',
    { mail: { ...well.mail, lastFailureAt: '2026-03-02T12:00:00Z' } },
  ],
])('%s is no failure', (_, measured) => {
  expect(judged({ ...well, ...measured }).percent).toBe(100);
});
