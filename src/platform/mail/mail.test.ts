import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openSmtpSink, type MimePart } from '../../../tests/support/smtp-sink.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { newId } from '../clock.ts';
import { transact } from '../db/transact.ts';
import { mailDeliveries, retryUnsent, sendMail, type Mail } from './mail.ts';
import { smtpTransport } from './smtp.ts';

const sink = await openSmtpSink();
afterAll(() => sink.close());
const transport = smtpTransport(sink.url, 'iTalk <no-reply@italk.example>');
const { as, db, runJobs, setNow, readMails } = await testDatabase({ transport });
const ctx = as({ kind: 'job', name: 'test' });
const [delivery] = mailDeliveries(transport, () => Promise.resolve('Cedar House'));
const calendar = (name: string, method = 'REQUEST') => ({
  filename: `${name}.ics`,
  contentType: `text/calendar; charset=utf-8; method=${method}`,
  content: `BEGIN:VCALENDAR\r\nMETHOD:${method}\r\nX-NAME:${name} – é\r\nEND:VCALENDAR\r\n`,
});
let count = 0;
const mailOf = (changes: Partial<Mail> = {}): Mail => ({
  key: `test:${count++}`,
  kind: 'welcome',
  to: 'ann@people.example',
  subject: 'Hello',
  text: 'Words – “plain”\n.\nand a dot',
  html: '<p>Words</p>',
  ...changes,
});
const leaves = (part: MimePart): MimePart[] => (part.parts.length > 0 ? part.parts.flatMap(leaves) : [part]);
const rowOf = async (key: string) => (await readMails((rows) => rows.where('key', '=', key)))[0]!;

beforeEach(() => {
  sink.mails.length = 0;
});

test('sends text and HTML, marked as automatic, with the request id', async () => {
  const mail = mailOf();
  await sendMail(ctx, mail);
  expect(sink.mails).toHaveLength(0);
  await runJobs();
  const [got] = sink.mails;
  expect(sink.mails).toHaveLength(1);
  expect(got!.to).toEqual(['ann@people.example']);
  expect(got!.from).toBe('no-reply@italk.example');
  expect(got!.headers.get('from')).toBe('iTalk Health <no-reply@italk.example>');
  expect(got!.type).toBe('multipart/alternative');
  expect(got!.parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html']);
  expect(got!.parts[0]!.body.replaceAll('\r\n', '\n').trimEnd()).toBe(mail.text);
  expect(got!.headers.get('auto-submitted')).toBe('auto-generated');
  expect(got!.headers.get('x-request-id')).toBe('test');
  expect(got!.headers.get('message-id')).toBe(`<${(await rowOf(mail.key)).id}@italk.example>`);
});

test('sends a single invitation as an alternative with its method, and as a file', async () => {
  const invitation = calendar('one', 'CANCEL');
  await sendMail(ctx, mailOf({ attachments: [invitation] }));
  await runJobs();
  const [got] = sink.mails;
  expect(got!.type).toBe('multipart/mixed');
  expect(got!.parts[0]!.parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html', 'text/calendar']);
  const shown = got!.parts[0]!.parts[2]!;
  expect(shown.headers.get('content-type')).toMatch(/method=CANCEL/);
  expect(shown.body).toBe(invitation.content);
  const file = got!.parts[1]!;
  expect(file.headers.get('content-disposition')).toMatch(/attachment; filename=one\.ics/);
  expect(file.body).toBe(invitation.content);
});

test('attaches every file of a series, with none replacing the others', async () => {
  const files = [calendar('one'), calendar('two'), calendar('three')];
  await sendMail(ctx, mailOf({ attachments: files }));
  await runJobs();
  const parts = leaves(sink.mails[0]!).slice(2);
  expect(parts.map(({ body }) => body)).toEqual(files.map(({ content }) => content));
  for (const part of parts) {
    expect(part.headers.get('content-type')).toMatch(/^text\/calendar; charset=utf-8; method=REQUEST/);
    expect(part.headers.get('content-disposition')).toMatch(/^attachment/);
  }
});

test('stores email encrypted, so no earlier release can send it empty', async () => {
  const words = { subject: 'zqword', text: 'zqword', html: '<p>zqword</p>' };
  const mail = mailOf({ ...words, attachments: [calendar('zqword')], unsubscribeUrl: 'https://x/?zqword' });
  await sendMail(ctx, mail);
  const stored = await db
    .selectFrom('mails')
    .selectAll()
    .where('key', '=', mail.key)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(stored)).not.toContain('zqword');
  // Earlier releases read these columns and must fail instead of sending an empty email.
  expect(stored).toMatchObject({ subject: '', text_body: '', html_body: '', attachments: null });
  await runJobs();
  const [got] = sink.mails;
  expect(got!.headers.get('subject')).toBe('zqword');
  expect(got!.headers.get('list-unsubscribe')).toBe('<https://x/?zqword>');
  const sent = await db.selectFrom('mails').selectAll().where('key', '=', mail.key).executeTakeFirstOrThrow();
  expect(
    Object.entries(sent).filter(([name, value]) => name.startsWith('sealed_') && value !== null),
  ).toEqual([]);
});

test('sends unencrypted email from an earlier release unchanged', async () => {
  const { text, html, key } = mailOf();
  const file = { filename: 'a.txt', contentType: 'text/plain', content: 'In the file' };
  const row = {
    id: newId(),
    key,
    recipient: 'ann@people.example',
    subject: 'Hello',
    text_body: text,
    html_body: html,
  };
  await db
    .insertInto('mails')
    .values({
      ...row,
      attachments: JSON.stringify([file]),
      urgent: false,
      request_id: 'test',
      created_at: new Date('2026-03-02T12:00:00Z'),
    })
    .execute();
  await delivery.handle(ctx, { mailId: row.id }, { id: 'once', requestId: 'test' });
  const [got] = sink.mails;
  expect(got!.headers.get('subject')).toBe('Hello');
  expect(leaves(got!).at(-1)!.body).toBe('In the file');
});

test('sends once per key and deletes the content', async () => {
  const mail = mailOf({ attachments: [calendar('one')] });
  await sendMail(ctx, mail);
  await sendMail(ctx, { ...mail, text: 'other' });
  await runJobs();
  await sendMail(ctx, mail);
  const { id, ...row } = await rowOf(mail.key);
  await delivery.handle(ctx, { mailId: id }, { id: 'again', requestId: 'test' });
  expect(await runJobs()).toBe(0);
  expect(sink.mails).toHaveLength(1);
  expect(row).toMatchObject({ recipient: '', subject: '', text_body: '', html_body: '', attachments: [] });
  expect(row.sent_at).not.toBeNull();
});

test.each(['451', 'drop'] as const)(
  'retries after a temporary failure (%s) and sends once',
  async (reply) => {
    const mail = mailOf();
    await sendMail(ctx, mail);
    const { id } = await rowOf(mail.key);
    const deliver = () => delivery.handle(ctx, { mailId: id }, { id: 'try', requestId: 'test' });
    sink.failures.push(reply);
    const failure = await deliver().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure) + JSON.stringify(failure)).not.toContain('ann@');
    expect(sink.mails).toHaveLength(0);
    expect(await rowOf(mail.key)).toMatchObject({ sent_at: null, text_body: mail.text });
    // Crashed after writing the row, with the job still queued.
    await runJobs();
    await deliver();
    expect(sink.mails).toHaveLength(1);
  },
);

test.each(['550', '552', '554'] as const)(
  'stops after a permanent failure (%s) and keeps the content',
  async (reply) => {
    const mail = mailOf();
    await sendMail(ctx, mail);
    sink.failures.push(reply);
    expect(await runJobs()).toBe(1);
    expect(await rowOf(mail.key)).toMatchObject({ sent_at: null, fault: reply, text_body: mail.text });
    setNow('2026-03-02T16:00:00Z');
    await retryUnsent(ctx);
    expect(await runJobs()).toBe(0);
    expect(sink.mails).toHaveLength(0);
  },
);

test('keeps an email as undelivered after three days of failures', async () => {
  setNow('2026-03-02T12:00:00Z');
  const mail = mailOf();
  await sendMail(ctx, mail);
  const { id } = await rowOf(mail.key);
  const tryOnce = async () => {
    sink.failures.push('451');
    await expect(delivery.handle(ctx, { mailId: id }, { id: 'try', requestId: 'test' })).rejects.toThrow(
      '451',
    );
  };
  await tryOnce();
  setNow('2026-03-05T11:00:00Z');
  await retryUnsent(ctx);
  expect(await rowOf(mail.key)).toMatchObject({ failed_at: null });
  await tryOnce();
  setNow('2026-03-05T13:00:00Z');
  await retryUnsent(ctx);
  expect(await rowOf(mail.key)).toMatchObject({ fault: 'no_answer', text_body: mail.text });
  await runJobs();
  expect(sink.mails).toHaveLength(0);
});

test('stops retrying an expired email and keeps it as undelivered', async () => {
  setNow('2026-03-02T12:00:00Z');
  const mail = mailOf({ expiresAt: Temporal.Instant.from('2026-03-02T13:00:00Z') });
  await sendMail(ctx, mail);
  const { id } = await rowOf(mail.key);
  const tryOnce = () => delivery.handle(ctx, { mailId: id }, { id: 'try', requestId: 'test' });
  sink.failures.push('451');
  await expect(tryOnce()).rejects.toThrow('451');
  setNow('2026-03-02T13:00:00Z');
  await tryOnce();
  expect(sink.mails).toHaveLength(0);
  expect(await rowOf(mail.key)).toMatchObject({ sent_at: null, fault: 'expired', text_body: mail.text });
  setNow('2026-03-02T16:00:00Z');
  await retryUnsent(ctx);
  await runJobs();
  expect(sink.mails).toHaveLength(0);
});

test('sends sign-in emails in their own queue', async () => {
  const mail = mailOf({ urgent: true });
  await sendMail(ctx, mail);
  const { rows } = await sql<{ name: string }>`
    select name from jobs.job where data->'payload'->>'mailId' = ${(await rowOf(mail.key)).id}`.execute(db);
  expect(rows).toEqual([{ name: 'mail.deliver-urgent' }]);
  await runJobs();
  expect(sink.mails).toHaveLength(1);
});

test('shares few connections among many emails', async () => {
  const before = sink.connections();
  for (let index = 0; index < 20; index++) await sendMail(ctx, mailOf());
  await runJobs();
  expect(sink.mails).toHaveLength(20);
  expect(sink.connections() - before).toBeLessThanOrEqual(5);
});

test('gives a slow server several emails at once, without delaying urgent ones', async () => {
  const slow = await openSmtpSink({ answerMs: 100 });
  const hand = smtpTransport(slow.url, 'iTalk <no-reply@italk.example>');
  const given = async (urgent: boolean) => {
    const about = { id: newId(), senderName: 'iTalk', replyTo: null, requestId: 'test' };
    await hand({ ...mailOf(), ...about, attachments: [], unsubscribeUrl: null, urgent });
  };
  let done = 0;
  const usual = Array.from({ length: 12 }, () => given(false).then(() => done++));
  await given(true);
  expect(done).toBeLessThan(12);
  await Promise.all(usual);
  expect(slow.connections()).toBeGreaterThan(2);
  await slow.close();
});

test('sends once with two processes at the same time', async () => {
  const mail = mailOf();
  await sendMail(ctx, mail);
  const { id } = await rowOf(mail.key);
  const deliver = () => delivery.handle(ctx, { mailId: id }, { id: 'try', requestId: 'test' });
  // One delivery takes it; the others retry later in case that one crashed.
  await Promise.allSettled([deliver(), deliver(), deliver()]);
  await runJobs();
  expect(sink.mails).toHaveLength(1);
});

test('writes nothing if the transaction rolls back', async () => {
  const mail = mailOf();
  const work = transact(ctx, async (tx) => {
    await sendMail(tx, mail);
    throw new Error('rolled back');
  });
  await expect(work).rejects.toThrow('rolled back');
  expect(await runJobs()).toBe(0);
  expect(sink.mails).toHaveLength(0);
});

test.each([
  'Hi\r\nBcc: all@people.example',
  'Hi\nBcc: all@people.example',
  'Hi\u2028Bcc: x',
  'Hi\r\n\r\n<script>',
])('starts no header from a line break in the subject: %j', async (subject) => {
  await sendMail(ctx, mailOf({ subject }));
  await runJobs();
  const [got] = sink.mails;
  expect(got!.headers.has('bcc')).toBe(false);
  expect(got!.to).toEqual(['ann@people.example']);
  expect(got!.headers.get('subject')).toBe(subject.replace(/[\r\n\u2028]+/g, ' '));
});

test('accepts one address, never a list', async () => {
  await sendMail(ctx, mailOf({ to: 'ann@people.example, eve@people.example' }));
  await runJobs().catch(() => undefined);
  expect(sink.mails.flatMap(({ to }) => to)).not.toContain('eve@people.example');
});
