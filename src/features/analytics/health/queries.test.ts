import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { noteFailure, deleteOldFailures } from '#/platform/http/failures.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { healthOf } from './queries.ts';

const evening = '2026-03-02T20:00:00Z';
const database = await testDatabase({
  now: evening,
  transport: () => Promise.reject(new Error('no server')),
});
const { db, as, setNow, dataDir } = database;
const ctx = as({ kind: 'job', name: 'test' });
const ended = Temporal.Instant.from('2026-03-02T19:30:01Z');
const schedules = () => [
  {
    name: 'tidy',
    every: Temporal.Duration.from({ hours: 1 }),
    startedAt: Temporal.Instant.from('2026-03-02T19:30:00Z'),
    endedAt: ended,
    milliseconds: 1_000,
    failing: false,
    failedAt: null,
  },
];
const health = (sendsMail = true) => healthOf(ctx, { dataDir, sendsMail, schedules });
const minutesAgo = (minutes: number) => Temporal.Instant.from(evening).subtract({ minutes });

const letter = (key: string) =>
  sendMail(ctx, {
    key,
    kind: 'welcome',
    to: `${key}@people.example`,
    subject: 'Hello',
    text: 'Words',
    html: '<p>Words</p>',
  });

test('is healthy with empty queues and no failures', async () => {
  const { percent, ...found } = await health();
  expect(percent).toBe(100);
  expect(found).toMatchObject({
    checkedAt: evening,
    queue: { well: true, oldestSeconds: null, failed: 0 },
    mail: { well: true, sends: true, unsent: 0, lastFailureAt: null },
    disk: { well: true, writable: true },
    backups: { well: true, frequency: 'daily', lastDoneAt: null, overdue: false, failures: 0 },
    audit: { well: true, checkedAt: null, entries: 0, broken: false, guarded: false },
    schedules: {
      well: true,
      tasks: [{ name: 'tidy', everySeconds: 3_600, endedAt: ended.toString(), failedAt: null }],
    },
    errors: { well: true, lastHour: 0 },
  });
  expect(found.disk.freeBytes).toBeGreaterThan(0);
  expect(found.disk.totalBytes).toBeGreaterThan(found.disk.freeBytes);
});

test('finds waiting jobs, failed jobs and unsent email', async () => {
  setNow(minutesAgo(30).toString());
  await letter('late');
  setNow(minutesAgo(1).toString());
  await letter('new');
  setNow(evening);
  const job = (set: string) => sql.raw(`update jobs.job set ${set}`).execute(db);
  await job(`start_after = '${minutesAgo(4).toString()}'`);
  expect(await health()).toMatchObject({
    percent: 88,
    queue: { well: true, oldestSeconds: 240, failed: 0 },
    mail: { well: false, unsent: 1, oldestSeconds: 1_800, lastFailureAt: null },
  });
  await job(`start_after = '${minutesAgo(-4).toString()}'`);
  expect((await health()).queue.oldestSeconds).toBeNull();
  await job(
    `state = 'retry', start_after = '${minutesAgo(20).toString()}', started_on = '${minutesAgo(20).toString()}'`,
  );
  expect(await health()).toMatchObject({
    percent: 75,
    queue: { well: false, oldestSeconds: 1_200, failed: 0 },
    mail: { lastFailureAt: minutesAgo(20).toString() },
  });
  await job(`state = 'failed', completed_on = '${minutesAgo(5).toString()}'`);
  expect(await health()).toMatchObject({
    queue: { well: false, oldestSeconds: null, failed: 2 },
    mail: { lastFailureAt: minutesAgo(5).toString() },
  });
  await job(`completed_on = '${minutesAgo(25 * 60).toString()}'`);
  expect((await health()).queue).toMatchObject({ well: true, failed: 0 });
  // Without a mail server, unsent email is expected.
  expect((await health(false)).mail).toMatchObject({ well: true, sends: false, unsent: 0 });
  await db
    .updateTable('mails')
    .set({ sent_at: new Date(evening) })
    .execute();
  expect((await health()).percent).toBe(100);
});

test('counts failed responses of all processes for an hour', async () => {
  await Promise.all(Array.from({ length: 20 }, () => noteFailure(db, minutesAgo(30))));
  await noteFailure(db, minutesAgo(61));
  expect(await health()).toMatchObject({ percent: 88, errors: { well: false, lastHour: 20 } });
  await deleteOldFailures(db, minutesAgo(-23 * 60 - 10));
  expect(await db.selectFrom('failed_answers').select('count').execute()).toEqual([{ count: 20 }]);
  await deleteOldFailures(db, minutesAgo(-24 * 60));
  expect((await health()).percent).toBe(100);
});

test('reports an unwritable disk', async () => {
  const shut = as({ kind: 'job', name: 'test' });
  const elsewhere = { ...shut, files: { ...shut.files, ready: () => Promise.resolve(false) } };
  expect(await healthOf(elsewhere, { dataDir, sendsMail: true, schedules })).toMatchObject({
    percent: 88,
    disk: { well: false, writable: false },
  });
  await expect(
    healthOf(shut, { dataDir: join(dataDir, 'nowhere'), sendsMail: true, schedules }),
  ).rejects.toThrow('ENOENT');
});

test('reports an overdue backup, and failures since with their reason', async () => {
  const add = (state: 'done' | 'failed', at: Temporal.Instant, reason: 'folder' | 'disk_full' | null) => {
    const time = new Date(at.epochMilliseconds);
    const backup = { id: ctx.newId(), state, origin: 'schedule', requested_at: time, reason } as const;
    const file = state === 'done' ? { file_name: `${ctx.newId()}.italk`, checksum: 'x' } : {};
    return db
      .insertInto('backups')
      .values({ ...backup, ...file, started_at: time, finished_at: time })
      .execute();
  };
  const frequency = (backup_frequency: 'hourly' | 'daily') =>
    db.updateTable('site_settings').set({ backup_frequency }).execute();
  await add('done', minutesAgo(25 * 60), null);
  expect((await health()).backups).toMatchObject({
    well: true,
    lastDoneAt: minutesAgo(25 * 60).toString(),
    overdue: false,
  });
  await frequency('hourly');
  expect(await health()).toMatchObject({
    percent: 88,
    backups: { well: false, frequency: 'hourly', overdue: true, failures: 0, reason: null },
  });
  await frequency('daily');
  setNow(minutesAgo(-2).toString());
  expect((await health()).backups).toMatchObject({ well: false, overdue: true });
  setNow(evening);
  await add('failed', minutesAgo(30), 'disk_full');
  await add('failed', minutesAgo(10), 'folder');
  expect((await health()).backups).toMatchObject({
    well: false,
    overdue: false,
    failures: 2,
    reason: 'folder',
  });
  await add('done', minutesAgo(5), null);
  expect((await health()).backups).toMatchObject({ well: true, failures: 0, reason: null });
});

test('reports scheduled tasks that are failing', async () => {
  const failing = () => schedules().map((one) => ({ ...one, failing: true, failedAt: ended }));
  expect((await healthOf(ctx, { dataDir, sendsMail: true, schedules: failing })).schedules).toMatchObject({
    well: false,
    tasks: [{ failing: true, failedAt: ended.toString() }],
  });
});
