import { expect, test } from 'vitest';
import { openJobs, startWorkers } from '#/platform/jobs/jobs.ts';
import { openLog } from '#/platform/log.ts';
import { mailDeliveries, sendMail, type Mail, type Transport } from '#/platform/mail/mail.ts';
import { openListenConnection } from '#/platform/realtime/listen-connection.ts';
import { testDatabase } from './support/database.ts';

const begun: string[] = [];
const taken: string[] = [];
const { promise: mayTake, resolve: takeAll } = Promise.withResolvers<void>();
const transport: Transport = async ({ to }) => {
  begun.push(to);
  await mayTake;
  taken.push(to);
};
const { as, url } = await testDatabase({ poolSize: 12, transport });

test('sends ten reminders concurrently without delaying a password reset', async () => {
  const mail = (to: string, more: Partial<Mail> = {}): Mail => ({
    key: to,
    kind: 'reminder',
    to: `${to}@people.example`,
    subject: 'Your session',
    text: 'Words',
    html: 'Words',
    ...more,
  });
  const ctx = as({ kind: 'system' });
  const [first, ...others] = Array.from({ length: 40 }, (_, index) => mail(`client${index}`));
  await sendMail(ctx, first!, ...others);
  await sendMail(ctx, mail('locked-out', { kind: 'password_reset', urgent: true }));

  const log = openLog('silent');
  const jobs = openJobs(url, log);
  await jobs.start();
  const listener = await openListenConnection(url, log, () => undefined);
  try {
    const deliveries = mailDeliveries(transport, () => Promise.resolve('Cedar House'));
    await startWorkers(jobs, deliveries, ({ name }) => as({ kind: 'job', name }), log, listener);
    await expect.poll(() => begun.length).toBeGreaterThanOrEqual(11);
    expect(taken).toEqual([]);
    expect(begun).toContain('locked-out@people.example');
    takeAll();
    await expect.poll(() => taken.length).toBe(41);
  } finally {
    await listener.close();
    await jobs.stop({ graceful: false });
  }
  expect(new Set(taken).size).toBe(41);
});
