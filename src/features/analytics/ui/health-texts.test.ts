import { expect, test } from 'vitest';
import type { HealthView } from '../health/contract.ts';
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
