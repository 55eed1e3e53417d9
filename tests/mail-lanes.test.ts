import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openJobs, workOff } from '#/platform/jobs/jobs.ts';
import { openLog } from '#/platform/log.ts';
import { mailDeliveries, sendMail, type Mail, type Transport } from '#/platform/mail/mail.ts';
import { testDatabase } from './support/database.ts';

const taken: string[] = [];
let underWay = 0;
let most = 0;
/** A mail server that takes its time. */
const transport: Transport = async ({ to }) => {
  most = Math.max(most, ++underWay);
  await sleep(200);
  underWay--;
  taken.push(to);
};
const { as, url } = await testDatabase({ poolSize: 12, transport });

test('a process hands over ten reminders at once, and a password reset waits behind none of them', async () => {
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
  try {
    const deliveries = mailDeliveries(transport, () => Promise.resolve('Cedar House'));
    await workOff(jobs, deliveries, ({ name }) => as({ kind: 'job', name }), log);
    await expect.poll(() => taken.length, { timeout: 30_000 }).toBe(41);
  } finally {
    await jobs.stop({ graceful: false });
  }
  expect(new Set(taken).size).toBe(41);
  // Those, and the urgent one.
  expect(most).toBeGreaterThanOrEqual(10);
  expect(taken.indexOf('locked-out@people.example')).toBeLessThan(20);
}, 60_000);
