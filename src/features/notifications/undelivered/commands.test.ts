import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { isoOf } from '#/kernel/iso.ts';
import { MailRefused, retryUnsent, sendMail, type Mail } from '#/platform/mail/mail.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addAdministrator, addClient } from '../../../../tests/support/people.ts';
import { dismiss, sendAgain, sendAllAgain } from './commands.ts';
import { countUndelivered, undeliveredMails } from './queries.ts';

const morning = '2026-03-02T09:00:00Z';
/** Mail server's reply; null accepts the email. */
let answer: string | null = null;
const taken: string[] = [];
const { db, as, runJobs, setNow } = await testDatabase({
  now: morning,
  transport: ({ to }) => {
    if (answer !== null) return Promise.reject(new MailRefused(answer));
    taken.push(to);
    return Promise.resolve();
  },
});
const admin = as(await addAdministrator(db));
const job = as({ kind: 'job', name: 'test' });
const at = Temporal.Instant.from(morning);
let count = 0;

async function failed(changes: Partial<Mail> = {}, fault = '550 5.1.1'): Promise<string> {
  const key = `test:${count++}`;
  answer = fault;
  await sendMail(job, {
    key,
    kind: 'session',
    to: 'naomi@people.example',
    subject: 'Words that are private',
    text: 'Words',
    html: 'Words',
    ...changes,
  });
  await runJobs();
  answer = null;
  return (await db.selectFrom('mails').select('id').where('key', '=', key).executeTakeFirstOrThrow()).id;
}

const entries = (action: string) =>
  db
    .selectFrom('audit_entries')
    .select(['subject_id', 'details'])
    .where('action', '=', action)
    .orderBy('id')
    .execute();
const rowOf = (id: string) => db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst();

beforeEach(async () => {
  setNow(morning);
  taken.length = 0;
  await db.deleteFrom('mails').execute();
});

test('lists undelivered emails newest first in pages, without their content', async () => {
  const ids: string[] = [];
  for (const minutes of [0, 1, 2]) {
    setNow(at.add({ minutes }).toString());
    ids.unshift(
      await failed(
        { kind: minutes === 1 ? 'password_reset' : 'session' },
        ['550', '552', '571 5.7.1'][minutes],
      ),
    );
  }
  const page = await undeliveredMails(admin, { limit: 2 });
  expect(page.mails.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(page).toMatchObject({ more: true, total: 3, sendable: 3 });
  expect(page.mails[1]).toEqual({
    id: ids[1],
    to: 'na•••@people.example',
    kind: 'password_reset',
    writtenAt: isoOf(at.add({ minutes: 1 }).epochMilliseconds),
    failedAt: isoOf(at.add({ minutes: 1 }).epochMilliseconds),
    fault: 'full',
    code: '552',
    expired: false,
  });
  expect(JSON.stringify(page)).not.toMatch(/Words|naomi/);
  const { id: beforeId, failedAt: beforeAt } = page.mails[1]!;
  const rest = await undeliveredMails(admin, { limit: 2, beforeAt, beforeId });
  expect(rest.mails.map(({ id }) => id)).toEqual([ids[2]]);
  expect(rest.more).toBe(false);
});

test.each([false, true])('resends one in its queue (urgent: %s) and logs it', async (urgent) => {
  const id = await failed({ urgent });
  await sendAgain(admin, id);
  expect(await rowOf(id)).toMatchObject({ failed_at: null, fault: null, sent_at: null });
  const queue = urgent ? 'mail.deliver-urgent' : 'mail.deliver';
  const { rows: jobs } = await sql`select name from jobs.job where state = 'created'`.execute(db);
  expect(jobs).toEqual([{ name: queue }]);
  await runJobs();
  expect(taken).toEqual(['naomi@people.example']);
  expect((await rowOf(id))!.sent_at).not.toBeNull();
  expect((await entries('mail.sent_again')).at(-1)).toEqual({
    subject_id: id,
    details: { kind: 'session', fault: 'address' },
  });
  await expect(sendAgain(admin, id)).rejects.toMatchObject({ code: 'not_found' });
});

test('lists an email again after another refusal', async () => {
  const id = await failed();
  await sendAgain(admin, id);
  answer = '552';
  await runJobs();
  expect((await undeliveredMails(admin, { limit: 5 })).mails).toMatchObject([{ id, fault: 'full' }]);
});

test('retries a resent email as long as a new one', async () => {
  const id = await failed();
  setNow(at.add({ hours: 24 * 9 }).toString());
  await sendAgain(admin, id);
  await retryUnsent(job);
  expect((await rowOf(id))!.failed_at).toBeNull();
  setNow(at.add({ hours: 24 * 12 }).toString());
  await retryUnsent(job);
  expect((await rowOf(id))!.fault).toBe('no_answer');
});

test('refuses to resend an email whose link has expired', async () => {
  const expiresAt = at.add({ hours: 1 });
  const id = await failed({ kind: 'password_reset', expiresAt });
  setNow(at.add({ minutes: 59 }).toString());
  expect(await undeliveredMails(admin, { limit: 5 })).toMatchObject({
    mails: [{ expired: false }],
    sendable: 1,
  });
  setNow(expiresAt.toString());
  expect(await undeliveredMails(admin, { limit: 5 })).toMatchObject({
    mails: [{ expired: true }],
    sendable: 0,
  });
  await expect(sendAgain(admin, id)).rejects.toMatchObject({
    code: 'precondition',
    reason: 'mail_expired',
  });
  const other = await failed({ to: 'ann@people.example' });
  const before = (await entries('mail.sent_again')).length;
  expect(await sendAllAgain(admin)).toEqual({ sent: 1, expired: 1 });
  await runJobs();
  expect(taken).toEqual(['ann@people.example']);
  expect((await entries('mail.sent_again')).slice(before).map(({ subject_id }) => subject_id)).toEqual([
    other,
  ]);
  expect(await countUndelivered(admin)).toBe(1);
});

test('resends any number of emails', async () => {
  await failed();
  await sql`
    insert into mails (id, key, recipient, subject, text_body, html_body, request_id, created_at, failed_at, fault, urgent)
    select gen_random_uuid(), key || n, recipient, subject, text_body, html_body, request_id, created_at, failed_at, fault, n % 2 = 0
      from mails, generate_series(1, 600) as n`.execute(db);
  expect(await sendAllAgain(admin)).toEqual({ sent: 601, expired: 0 });
  expect(await countUndelivered(admin)).toBe(0);
});

test('deletes a dismissed email and never sends it', { tags: ['long'] }, async () => {
  const id = await failed();
  await dismiss(admin, id);
  expect(await rowOf(id)).toBeUndefined();
  expect((await entries('mail.dismissed')).at(-1)).toEqual({
    subject_id: id,
    details: { kind: 'session', fault: 'address' },
  });
  await expect(dismiss(admin, id)).rejects.toMatchObject({ code: 'not_found' });
});

test(
  'refuses to resend or dismiss an email that was sent or is being retried',
  { tags: ['long'] },
  async () => {
    const id = await failed();
    await sendAgain(admin, id);
    await expect(dismiss(admin, id)).rejects.toMatchObject({ code: 'not_found' });
    await runJobs();
    await expect(dismiss(admin, id)).rejects.toMatchObject({ code: 'not_found' });
  },
);

test('is available only to administrators', async () => {
  const id = await failed();
  const client = as(await addClient(db));
  for (const refused of [
    undeliveredMails(client, { limit: 5 }),
    sendAgain(client, id),
    sendAllAgain(client),
    dismiss(client, id),
  ])
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
});
