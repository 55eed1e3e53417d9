import { afterAll, beforeEach, expect, test } from 'vitest';
import { openSmtpSink, type MimePart } from '../../../tests/support/smtp-sink.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { mailDelivery, sendMail, type Mail } from './mail.ts';
import { smtpTransport } from './smtp.ts';

const sink = await openSmtpSink();
afterAll(() => sink.close());
const transport = smtpTransport(sink.url, 'iTalk <no-reply@italk.example>');
const { as, db, runJobs } = await testDatabase({ transport });
const ctx = as({ kind: 'job', name: 'test' });
const delivery = mailDelivery(transport, () => Promise.resolve('Cedar House'));
const calendar = (name: string, method = 'REQUEST') => ({
  filename: `${name}.ics`,
  contentType: `text/calendar; charset=utf-8; method=${method}`,
  content: `BEGIN:VCALENDAR\r\nMETHOD:${method}\r\nX-NAME:${name} – é\r\nEND:VCALENDAR\r\n`,
});
let count = 0;
const mailOf = (changes: Partial<Mail> = {}): Mail => ({
  key: `test:${count++}`,
  to: 'ann@people.example',
  subject: 'Hello',
  text: 'Words – “plain”\n.\nand a dot',
  html: '<p>Words</p>',
  ...changes,
});
const leaves = (part: MimePart): MimePart[] => (part.parts.length > 0 ? part.parts.flatMap(leaves) : [part]);
const rowOf = (key: string) =>
  db.selectFrom('mails').selectAll().where('key', '=', key).executeTakeFirstOrThrow();

beforeEach(() => {
  sink.mails.length = 0;
});

test('a mail goes as text and HTML, says that a machine wrote it, and carries the request id', async () => {
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

test('a single invitation is an alternative with its method, and a file', async () => {
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

test('of a series every file is attached, and none is shown in place of the others', async () => {
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

test('is sent once under its key, and keeps nothing of what it said', async () => {
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
  'what the mail server didn’t take (%s) is tried again, and sent once',
  async (trouble) => {
    const mail = mailOf();
    await sendMail(ctx, mail);
    const { id } = await rowOf(mail.key);
    const deliver = () => delivery.handle(ctx, { mailId: id }, { id: 'try', requestId: 'test' });
    sink.trouble.push(trouble);
    const failure = await deliver().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure) + JSON.stringify(failure)).not.toContain('ann@');
    expect(sink.mails).toHaveLength(0);
    expect(await rowOf(mail.key)).toMatchObject({ sent_at: null, text_body: mail.text });
    // The crash came after the row was written: the job is still there.
    await runJobs();
    await deliver();
    expect(sink.mails).toHaveLength(1);
  },
);

test('two processes at once send it once', async () => {
  const mail = mailOf();
  await sendMail(ctx, mail);
  const { id } = await rowOf(mail.key);
  const deliver = () => delivery.handle(ctx, { mailId: id }, { id: 'try', requestId: 'test' });
  await Promise.all([deliver(), deliver(), deliver()]);
  await runJobs();
  expect(sink.mails).toHaveLength(1);
});

test('a mail whose transaction is rolled back was never written', async () => {
  const mail = mailOf();
  const work = db.transaction().execute(async (tx) => {
    await sendMail({ ...ctx, db: tx }, mail);
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
])('a line break in the subject begins no header: %j', async (subject) => {
  await sendMail(ctx, mailOf({ subject }));
  await runJobs();
  const [got] = sink.mails;
  expect(got!.headers.has('bcc')).toBe(false);
  expect(got!.to).toEqual(['ann@people.example']);
  expect(got!.headers.get('subject')).toBe(subject.replace(/[\r\n\u2028]+/g, ' '));
});

test('an address is one address, never a list', async () => {
  await sendMail(ctx, mailOf({ to: 'ann@people.example, eve@people.example' }));
  await runJobs().catch(() => undefined);
  expect(sink.mails.flatMap(({ to }) => to)).not.toContain('eve@people.example');
});
