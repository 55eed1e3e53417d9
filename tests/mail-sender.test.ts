import { afterAll, expect, test } from 'vitest';
import { changeSettings } from '#/features/settings/commands.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { smtpTransport } from '#/platform/mail/smtp.ts';
import { testDatabase } from './support/database.ts';
import { openSmtpSink } from './support/smtp-sink.ts';

const sink = await openSmtpSink();
afterAll(() => sink.close());
const transport = smtpTransport(sink.url, 'iTalk <no-reply@italk.example>');
const { as, runJobs } = await testDatabase({ transport });

test('uses the site’s name at sending time as the sender name', async () => {
  const mail = { to: 'ann@people.example', subject: 'Hello', text: 'Words', html: '<p>Words</p>' };
  await sendMail(as({ kind: 'job', name: 'test' }), { ...mail, key: 'test', kind: 'welcome' });
  await changeSettings(as({ kind: 'system' }), { siteName: 'Cedar House, Springfield' });
  await runJobs();
  const [got] = sink.mails;
  expect(got!.from).toBe('no-reply@italk.example');
  expect(got!.headers.get('from')).toBe('"Cedar House, Springfield" <no-reply@italk.example>');
});
