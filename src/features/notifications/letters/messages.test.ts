import { beforeEach, expect, test } from 'vitest';
import { open, read, send } from '#/features/messaging/commands.ts';
import { newId } from '#/platform/clock.ts';
import { silentParts, testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { notifications } from '../feature.ts';

const { db, as, setNow, runJobs, readMails } = await testDatabase();
const appUrl = 'https://italk.example';
const alarm = notifications
  .reactions({ ...silentParts, appUrl })
  .find(({ event }) => event === 'messages.sent')!;

beforeEach(async () => {
  setNow('2100-03-02T12:00:00Z');
  await db.deleteFrom('mails').execute();
  await db.deleteFrom('jobs.job' as never).execute();
});

async function twoPeople() {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  await db.updateTable('profiles').set({ full_name: 'Ann Asker' }).where('id', '=', client.id).execute();
  await db.updateTable('profiles').set({ full_name: 'Dr. Hidden' }).where('id', '=', provider.id).execute();
  const { id } = await open(as(client), { ...asked(provider), ...written('Privateword') }, 1);
  return { client, provider, id };
}

const written = (text: string) => ({ messageId: newId(), text, attachmentIds: [] });
const asked = (to: Person) => ({ conversationId: newId(), withId: to.id, subject: 'Privatesubject' });
const say = (who: Person, conversationId: string) =>
  send(as(who), { conversationId, ...written('Privateword') }, 1);
const mails = () => readMails();
const recipients = async () => (await mails()).map(({ recipient }) => recipient);
const addressOf = ({ id }: Person) => `${id}@people.example`;
/** Runs a message's notification job. */
const ring = (messageId: string, eventId = newId()) =>
  alarm.handle(as({ kind: 'job', name: alarm.name }), { messageId }, { id: eventId, requestId: 'test' });
const lastOf = async (conversationId: string) =>
  (
    await db
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', conversationId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
  ).id;

test('emails once about messages unread for ten minutes, until something is read', async () => {
  const { client, provider, id } = await twoPeople();
  await runJobs();
  expect(await mails()).toEqual([]);
  setNow('2100-03-02T12:10:00Z');
  await runJobs({ all: true });
  expect(await recipients()).toEqual([addressOf(provider)]);
  const first = await lastOf(id);
  await say(client, id);
  await open(as(await addClient(db)), { ...asked(provider), ...written('x') }, 1);
  setNow('2100-03-02T13:00:00Z');
  await runJobs({ all: true });
  await ring(first);
  expect(await recipients()).toHaveLength(1);

  await read(as(provider), { conversationId: id, seq: 2 });
  setNow('2100-03-02T13:05:00Z');
  await say(client, id);
  setNow('2100-03-02T13:15:00Z');
  await runJobs({ all: true });
  expect(await recipients()).toEqual([addressOf(provider), addressOf(provider)]);
});

test('emails about messages after a read, even with others left unread', async () => {
  const { client, provider, id } = await twoPeople();
  const other = await addClient(db);
  const { id: left } = await open(as(other), { ...asked(provider), ...written('x') }, 1);
  await say(client, id);
  setNow('2100-03-02T12:10:00Z');
  await runJobs({ all: true });
  expect(await recipients()).toEqual([addressOf(provider)]);

  // Reads part of one conversation and none of the other.
  await read(as(provider), { conversationId: id, seq: 1 });
  setNow('2100-03-02T12:30:00Z');
  await runJobs({ all: true });
  expect(await recipients()).toHaveLength(1);
  await say(other, left);
  setNow('2100-03-02T12:40:00Z');
  await runJobs({ all: true });
  expect(await recipients()).toHaveLength(2);
  await read(as(provider), { conversationId: left, seq: 1 });
  await say(client, id);
  setNow('2100-03-02T12:50:00Z');
  await runJobs({ all: true });
  expect(await recipients()).toHaveLength(3);
});

test('skips messages read in time, and gives later ones their own ten minutes', async () => {
  const { client, provider, id } = await twoPeople();
  const first = await lastOf(id);
  setNow('2100-03-02T12:04:00Z');
  await say(client, id);
  await read(as(provider), { conversationId: id, seq: 1 });
  setNow('2100-03-02T12:10:00Z');
  await ring(first);
  expect(await mails()).toEqual([]);
  // Scheduled when the earlier message's job ran.
  const jobs = await db
    .selectFrom('jobs.job' as never)
    .select(['start_after', 'data'] as never)
    .where('name' as never, '=', 'notifications.message' as never)
    .orderBy('start_after' as never, 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(jobs).toMatchObject({
    start_after: new Date('2100-03-02T12:14:00Z'),
    data: { payload: { messageId: await lastOf(id) } },
  });
  await read(as(provider), { conversationId: id, seq: 2 });
  setNow('2100-03-02T12:14:00Z');
  await runJobs({ all: true });
  expect(await mails()).toEqual([]);
});

test('writes one email when two processes run the job at once', async () => {
  const { id } = await twoPeople();
  setNow('2100-03-02T12:10:00Z');
  const message = await lastOf(id);
  await Promise.all([1, 2, 3].map(() => ring(message)));
  expect(await mails()).toHaveLength(1);
});

test('contains no text, subject or name other than the client’s', async () => {
  const { client, provider, id } = await twoPeople();
  await say(provider, id);
  setNow('2100-03-02T12:10:00Z');
  await runJobs({ all: true });
  const sent = await mails();
  expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual(
    [addressOf(client), addressOf(provider)].toSorted(),
  );
  for (const mail of sent) {
    const words = [mail.subject, mail.text_body, mail.html_body, mail.key].join('\n');
    expect(words).not.toMatch(/Private|Hidden|counsel|doctor|pastor|therap|specialist/i);
    expect(words).not.toContain(id);
    expect(words.includes('Ann Asker')).toBe(mail.recipient === addressOf(client));
    expect(mail.text_body).toContain(`${appUrl}/messages`);
  }
});

test('sends nothing while email or messaging is off', async () => {
  const { id } = await twoPeople();
  setNow('2100-03-02T12:10:00Z');
  const message = await lastOf(id);
  const mailing = (email_notifications: boolean) =>
    db.updateTable('site_settings').set({ email_notifications }).execute();
  const messaging = (enabled: boolean) =>
    db.updateTable('feature_flags').set({ enabled }).where('id', '=', 'direct_messaging').execute();
  await mailing(false);
  await ring(message);
  await mailing(true);
  await messaging(false);
  await ring(message);
  expect(await mails()).toEqual([]);
  await messaging(true);
  await ring(message);
  expect(await mails()).toHaveLength(1);
});

test('sends nothing to a suspended person, and emails about later messages once they’re back', async () => {
  const { client, provider, id } = await twoPeople();
  const suspend = (suspended_at: Date | null) =>
    db.updateTable('profiles').set({ suspended_at }).where('id', '=', client.id).execute();
  await suspend(new Date('2100-03-02T12:00:00Z'));
  await say(provider, id);
  setNow('2100-03-02T12:10:00Z');
  await ring(await lastOf(id));
  expect(await recipients()).not.toContain(addressOf(client));
  await suspend(null);
  await say(provider, id);
  setNow('2100-03-02T12:20:00Z');
  await ring(await lastOf(id));
  expect(await recipients()).toContain(addressOf(client));
});
