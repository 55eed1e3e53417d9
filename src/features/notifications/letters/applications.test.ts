import { expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addProvider } from '../../../../tests/support/people.ts';
import { applicationNotifications } from './applications.ts';
import { reactionTo } from './notification.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const job = as({ kind: 'job', name: 'test' });
const added = reactionTo(
  applicationNotifications.find(({ event }) => event === 'providers.added')!,
  'https://italk.example',
);

test.each([
  [true, '2026-03-09T12:00:00.000Z'],
  [false, undefined],
])('a new specialist’s welcome goes before other mails (with a link: %s)', async (invited, until) => {
  const { id: providerId } = await addProvider(db);
  await added.handle(job, { providerId, invited }, { id: job.newId(), requestId: 'test' });
  const mail = await db
    .selectFrom('mails')
    .select(['kind', 'urgent', 'expires_at'])
    .where('key', 'like', `%:${providerId}`)
    .executeTakeFirstOrThrow();
  expect(mail.expires_at?.toISOString()).toBe(until);
  expect(mail).toMatchObject({ kind: 'specialist_welcome', urgent: true });
});
