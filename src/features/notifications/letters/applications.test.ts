import { expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addProvider } from '../../../../tests/support/people.ts';
import { applicationNotifications } from './applications.ts';
import { reactionTo } from './notification.ts';

const { db, as, readMails } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const job = as({ kind: 'job', name: 'test' });
const reactionOf = (event: string) =>
  reactionTo(
    applicationNotifications.find((one) => one.event === event)!,
    'https://italk.example',
  );
const added = reactionOf('providers.added');
const meta = () => ({ id: job.newId(), requestId: 'test' });

test.each([
  [true, '2026-03-09T12:00:00.000Z'],
  [false, undefined],
])('a new specialist’s welcome goes before other mails (with a link: %s)', async (invited, until) => {
  const { id: providerId } = await addProvider(db);
  await added.handle(job, { providerId, invited }, meta());
  const mail = await db
    .selectFrom('mails')
    .select(['kind', 'urgent', 'expires_at'])
    .where('key', 'like', `%:${providerId}`)
    .executeTakeFirstOrThrow();
  expect(mail.expires_at?.toISOString()).toBe(until);
  expect(mail).toMatchObject({ kind: 'specialist_welcome', urgent: true });
});

test.each([true, false])('tells an approved specialist whether their page is shown: %s', async (listed) => {
  const { id } = await addProvider(db, { listed });
  const applicationId = job.newId();
  await db
    .insertInto('provider_applications')
    .values({
      id: applicationId,
      person_id: id,
      kind: 'doctor',
      full_name: 'Naomi Field',
      phone: '',
      specialization: 'Grief',
      experience: '12 years',
      education: [],
      location: 'Boston',
      time_zone: 'America/New_York',
      bio: 'Listens.',
      languages: ['English'],
      service_ids: [],
      credential_kind: 'licence',
      credential_number: '1',
      credential_issuer: 'The board',
      credential_region: 'Ohio',
      credential_expires_on: null,
      status: 'approved',
      reason: null,
      submitted_at: new Date('2026-03-02T12:00:00Z'),
      decided_at: new Date('2026-03-02T12:00:00Z'),
      decided_by: null,
    })
    .execute();
  await reactionOf('providers.application_decided').handle(job, { applicationId }, meta());
  await reactionOf('providers.approval_changed').handle(job, { providerId: id, change: 'restored' }, meta());
  const mails = await readMails((rows) => rows.where('key', 'like', `%:${id}`));
  expect(mails.map(({ text_body }) => /is (back )?in the directory/.test(text_body))).toEqual([
    listed,
    listed,
  ]);
  expect(mails.map(({ text_body }) => text_body.includes('still hidden'))).toEqual([!listed, !listed]);
});
