import { createRouterClient } from '@orpc/server';
import { beforeAll, expect, test } from 'vitest';
import { sendMail } from '#/platform/mail/mail.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { notifications } from './feature.ts';

const { db, as, setNow } = await testDatabase();
const context = as({ kind: 'guest' });
const trayOf = (mailTray: boolean) =>
  createRouterClient(notifications.handlers({ mailTray, authSecret: 'unused' }).mailTray, { context });
const open = trayOf(true);
const closed = trayOf(false);

beforeAll(async () => {
  for (const hour of [9, 11, 10]) {
    setNow(`2026-03-02T${String(hour).padStart(2, '0')}:00:00Z`);
    await sendMail(context, {
      key: `hour:${hour}`,
      kind: 'welcome',
      to: 'ann@people.example',
      subject: `At ${hour}`,
      text: 'Words',
      html: '<p>Words</p>',
      attachments: [{ filename: 'a.ics', contentType: 'text/calendar', content: 'BEGIN:VCALENDAR' }],
    });
  }
});

test('lists the newest emails first, up to a limit', async () => {
  expect((await open.list({})).map(({ subject }) => subject)).toEqual(['At 11', 'At 10', 'At 9']);
  expect(await open.list({ limit: 1 })).toMatchObject([
    { subject: 'At 11', recipient: 'ann@people.example', writtenAt: '2026-03-02T11:00:00Z' },
  ]);
  await expect(open.list({ limit: 201 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(open.list({ limit: 0 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('opens an email with its full text and attachments', async () => {
  const [{ id } = { id: '' }] = await open.list({});
  expect(await open.get({ id })).toMatchObject({
    text: 'Words',
    html: '<p>Words</p>',
    attachments: [{ filename: 'a.ics', content: 'BEGIN:VCALENDAR' }],
  });
  await expect(open.get({ id: context.newId() })).rejects.toMatchObject({ code: 'not_found' });
});

test('omits sent emails from the tray', async () => {
  const [{ id } = { id: '' }] = await open.list({});
  await db
    .updateTable('mails')
    .set({ sent_at: new Date(0) })
    .where('id', '=', id)
    .execute();
  expect(await open.list({})).toHaveLength(2);
  await expect(open.get({ id })).rejects.toMatchObject({ code: 'not_found' });
});

test('returns not_found for every request while the tray is closed', async () => {
  const [{ id } = { id: '' }] = await open.list({});
  await expect(closed.list({})).rejects.toMatchObject({ code: 'not_found', reason: 'no_such_route' });
  await expect(closed.get({ id })).rejects.toMatchObject({ code: 'not_found', reason: 'no_such_route' });
  await expect(closed.get({ id: 'x' })).rejects.toMatchObject({ code: 'not_found', reason: 'no_such_route' });
});
