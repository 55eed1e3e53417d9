import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { smtpTransport } from '#/platform/mail/smtp.ts';
import { pdf } from '../../tests/support/bytes.ts';
import { testDatabase } from '../../tests/support/database.ts';
import { addClient } from '../../tests/support/people.ts';
import { openSmtpSink } from '../../tests/support/smtp-sink.ts';
import { tidy } from './tidy.ts';

const sink = await openSmtpSink();
afterAll(() => sink.close());
const database = await testDatabase({ transport: smtpTransport(sink.url, 'iTalk <no-reply@italk.example>') });
const { db, setNow, runJobs } = database;
const ctx = database.as({ kind: 'job', name: 'tidy' });
const evening = '2026-03-02T20:00:00Z';
const before = (hours: number) => Temporal.Instant.from(evening).subtract({ hours });

test('retries unsent email after a long outage, but not recent failures or old email', async () => {
  for (const [to, hours] of [
    ['new', 1],
    ['stuck', 4],
    ['stale', 80],
  ] as const) {
    setNow(before(hours).toString());
    await sendMail(ctx, {
      key: to,
      kind: 'welcome',
      to: `${to}@people.example`,
      subject: 'Hello',
      text: 'Words',
      html: '<p>Words</p>',
    });
  }
  // Simulates the last failed retry, which leaves no job.
  await db.deleteFrom('jobs.job' as never).execute();
  setNow(evening);
  await tidy(ctx);
  await runJobs();
  expect(sink.mails.map(({ to }) => to)).toEqual([['stuck@people.example']]);
  await tidy(ctx);
  await runJobs();
  expect(sink.mails).toHaveLength(1);
});

test('deletes ended sessions, devices unused for 400 days and expired rate limit counts', async () => {
  setNow(evening);
  const client = await addClient(db);
  const [ended, running] = [newId(), newId()];
  for (const [id, end] of [
    [ended, before(1)],
    [running, before(-1)],
  ] as const) {
    const expires_at = new Date(end.epochMilliseconds);
    await db
      .insertInto('sessions')
      .values({ id, user_id: client.id, token: id, expires_at, ip_address: null, user_agent: null })
      .execute();
  }
  const devices = [newId(), newId()] as const;
  for (const [index, days] of [401, 399].entries()) {
    const at = new Date(before(days * 24).epochMilliseconds);
    const device = { id: devices[index]!, user_id: client.id, token: `device ${days}` };
    await db
      .insertInto('known_devices')
      .values({ ...device, created_at: at, used_at: at })
      .execute();
  }
  await countAttempt(db, 'old', 1, 60, before(25));
  await tidy(ctx);
  expect(
    await db.selectFrom('known_devices').select('id').where('user_id', '=', client.id).execute(),
  ).toEqual([{ id: devices[1] }]);
  const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', client.id).execute();
  expect(sessions).toEqual([{ id: running }]);
  expect(await db.selectFrom('rate_limits').select('key').where('key', '=', 'old').execute()).toEqual([]);
});

test('continues after a failed step, and reports it at the end', async () => {
  setNow(evening);
  await countAttempt(db, 'old', 1, 60, before(25));
  const file = { bucket: 'documents', ownerId: null, name: 'letter.pdf', body: pdf() };
  const { id, version } = await ctx.files.upload(ctx, file);
  await ctx.files.remove(ctx, [id]);
  await sql`alter table goals rename to goals_elsewhere`.execute(db);
  await sql`alter table sessions rename to sessions_elsewhere`.execute(db);
  try {
    const told = await tidy(ctx).catch((error: unknown) => error);
    expect(told).toBeInstanceOf(AggregateError);
    expect((told as AggregateError).errors.map(String)).toEqual([
      expect.stringContaining('"sessions"'),
      expect.stringContaining('"goals"'),
    ]);
  } finally {
    await sql`alter table goals_elsewhere rename to goals`.execute(db);
    await sql`alter table sessions_elsewhere rename to sessions`.execute(db);
  }
  expect(await db.selectFrom('rate_limits').select('key').where('key', '=', 'old').execute()).toEqual([]);
  expect(existsSync(join(database.folder, 'objects', version.slice(-2), version))).toBe(false);
});
