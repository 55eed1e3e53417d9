import { beforeEach, expect, test } from 'vitest';
import { digest } from '#/features/accounts/commands.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient } from '../../../../tests/support/people.ts';

const { db, as, runJobs } = await testDatabase({ appUrl: 'https://italk.example' });
const ctx = as({ kind: 'guest' });

type IdentityEvent =
  'accounts.verification_requested' | 'accounts.password_reset_requested' | 'accounts.exists_notice';

const ask = (event: IdentityEvent, userId: string, next = '/home') =>
  transact(ctx, (tx) => tx.emit(tx, event, { userId, next }));

async function mailsAfterJobs() {
  await runJobs();
  return db.selectFrom('mails').selectAll().execute();
}

beforeEach(async () => {
  await db.deleteFrom('mails').execute();
  await db.deleteFrom('verifications').execute();
});

test.each([
  ['accounts.verification_requested', 'verify', 'verify', 'Please confirm your address'],
  ['accounts.password_reset_requested', 'reset-password', 'reset-password', 'Choose a new password'],
] as const)(
  '%s is answered by a link whose token the database knows by its hash alone',
  async (event, path, kind, subject) => {
    const { id } = await addClient(db);
    await ask(event, id, '/service/grief?book=1&x=%C3%BC');
    const mails = await mailsAfterJobs();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ subject, recipient: `${id}@people.example`, attachments: [] });
    const link = new URL(/https:\S+/.exec(mails[0]!.text_body)![0]);
    expect(link.origin + link.pathname).toBe(`https://italk.example/${path}`);
    expect(link.searchParams.get('next')).toBe('/service/grief?book=1&x=%C3%BC');
    const token = link.searchParams.get('token')!;
    const stored = await db.selectFrom('verifications').selectAll().execute();
    expect(stored.map(({ identifier, value }) => [identifier, value])).toEqual([
      [digest(`${kind}:${token}`), id],
    ]);
    expect(mails[0]!.html_body).toContain(`token=${token}`);
  },
);

test('these mails go also where the site has switched notifications off', async () => {
  await db.updateTable('site_settings').set({ email_notifications: false }).execute();
  const { id } = await addClient(db);
  await ask('accounts.password_reset_requested', id);
  expect(await mailsAfterJobs()).toHaveLength(1);
  await db.updateTable('site_settings').set({ email_notifications: true }).execute();
});

test('who has shown that the address is theirs isn’t asked again', async () => {
  const { id } = await addClient(db);
  await db.updateTable('users').set({ email_verified: true }).where('id', '=', id).execute();
  await ask('accounts.verification_requested', id);
  expect(await mailsAfterJobs()).toHaveLength(0);
});

test('the owner of an address learns that somebody signed up with it; the mail opens nothing by itself', async () => {
  const { id } = await addClient(db);
  await ask('accounts.exists_notice', id, '/therapists');
  const [mail] = await mailsAfterJobs();
  expect(mail!.text_body).toContain('https://italk.example/?auth=1&next=%2Ftherapists');
  expect(mail!.text_body).not.toContain('token');
  expect(await db.selectFrom('verifications').selectAll().execute()).toHaveLength(0);
});

test('for an account that is gone there is no mail', async () => {
  await ask('accounts.password_reset_requested', ctx.newId());
  expect(await mailsAfterJobs()).toHaveLength(0);
});
