import { beforeEach, describe, expect, test } from 'vitest';
import { setPassword, consumeLinkToken } from '#/features/accounts/commands.ts';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf } from '../../../../tests/support/identity.ts';
import { addClient } from '../../../../tests/support/people.ts';
import { notificationsPersonal } from '../personal.ts';

const database = await testDatabase({ appUrl: 'https://italk.example' });
const { db, as, runJobs, readMails } = database;
const identities = identitiesOf(database);
const ctx = as({ kind: 'guest' });

type IdentityEvent =
  | 'accounts.verification_requested'
  | 'accounts.password_reset_requested'
  | 'accounts.exists_notice';

const ask = (event: IdentityEvent, userId: string, next = '/home') =>
  transact(ctx, (tx) => tx.emit(tx, event, { userId, next }));

async function mailsAfterJobs() {
  await runJobs();
  return readMails();
}

beforeEach(async () => {
  await db.deleteFrom('mails').execute();
  await db.deleteFrom('verifications').execute();
});

test.each([
  ['accounts.verification_requested', 'verify', 'verify', 'Verify your email address'],
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
    const token = link.hash.slice(1);
    const stored = await db.selectFrom('verifications').selectAll().execute();
    expect(stored.map(({ identifier, value }) => [identifier, value])).toEqual([
      [digest(`${kind}:${token}`), id],
    ]);
    expect(mails[0]!.html_body).toContain(`#${token}`);
  },
);

describe('a sign-up link', () => {
  const signUp = (email: string) =>
    identities.signUp(identities.production, email, {
      name: 'Buy at https://evil.example',
      next: '/therapists',
    });

  test('belongs to one sign-up, in an email without the typed name', async () => {
    await signUp('ruth@people.example');
    const mails = await mailsAfterJobs();
    expect(mails).toMatchObject([{ subject: 'Verify your email address', recipient: 'ruth@people.example' }]);
    expect(mails[0]!.text_body + mails[0]!.html_body).not.toContain('evil');
    const link = new URL(/https:\S+/.exec(mails[0]!.text_body)![0]);
    expect(link.searchParams.get('next')).toBe('/therapists');
    const { id } = await db
      .selectFrom('sign_ups')
      .select('id')
      .where('email', '=', 'ruth@people.example')
      .executeTakeFirstOrThrow();
    const stored = await db.selectFrom('verifications').selectAll().execute();
    expect(stored.map(({ identifier, value }) => [identifier, value])).toEqual([
      [digest(`verify:${link.hash.slice(1)}`), id],
    ]);
  });

  test('is not emailed once the address has an account with a password', async () => {
    const { id } = await addClient(db);
    await signUp(`${id}@people.example`);
    await transact(ctx, (tx) => setPassword(tx, id, 'hash'));
    expect(await mailsAfterJobs()).toHaveLength(0);
  });
});

test('sends a password reset even while the site’s emails are off', async () => {
  await db.updateTable('site_settings').set({ email_notifications: false }).execute();
  const { id } = await addClient(db);
  await ask('accounts.password_reset_requested', id);
  expect(await mailsAfterJobs()).toHaveLength(1);
  await db.updateTable('site_settings').set({ email_notifications: true }).execute();
});

test('doesn’t send a verification email for a verified address', async () => {
  const { id } = await addClient(db);
  await db.updateTable('users').set({ email_verified: true }).where('id', '=', id).execute();
  await ask('accounts.verification_requested', id);
  expect(await mailsAfterJobs()).toHaveLength(0);
});

test('tells an address’s owner about a repeated sign-up, without a token in the email', async () => {
  const { id } = await addClient(db);
  await ask('accounts.exists_notice', id, '/therapists');
  const [mail] = await mailsAfterJobs();
  expect(mail!.text_body).toContain('https://italk.example/?auth=1&next=%2Ftherapists');
  expect(mail!.text_body).not.toContain('token');
  expect(await db.selectFrom('verifications').selectAll().execute()).toHaveLength(0);
});

test('sends nothing for an account that doesn’t exist', async () => {
  await ask('accounts.password_reset_requested', ctx.newId());
  expect(await mailsAfterJobs()).toHaveLength(0);
});

test('emails an unlock link to a locked account’s owner, unless suspended', async () => {
  const lock = (userId: string) => transact(ctx, (tx) => tx.emit(tx, 'accounts.sign_in_locked', { userId }));
  const { id } = await addClient(db);
  await lock(id);
  const [mail] = await mailsAfterJobs();
  const token = /https:\/\/italk\.example\/unlock\?next=%2Fhome#([\w-]{32})\s/.exec(mail!.text_body)![1]!;
  const stored = await db.selectFrom('verifications').selectAll().execute();
  expect(stored.map(({ identifier, value }) => [identifier, value])).toEqual([
    [digest(`unlock:${token}`), id],
  ]);
  const { id: suspended } = await addClient(db);
  await db.updateTable('profiles').set({ suspended_at: new Date() }).where('id', '=', suspended).execute();
  await lock(suspended);
  expect(await mailsAfterJobs()).toHaveLength(1);
});

test('reports every sign-in security change under the same neutral subject', async () => {
  const { id } = await addClient(db);
  const changes = [
    'new_device',
    'password_set',
    'factor_set_up',
    'factor_removed',
    'factor_reset',
    'codes_renewed',
    'passkey_added',
    'passkey_removed',
    'identity_connected',
    'identity_disconnected',
    'api_token_created',
    'recovery_key',
    'words_deleted',
  ] as const;
  for (const change of changes)
    await transact(ctx, (tx) => tx.emit(tx, 'accounts.secured', { userId: id, change }));
  const mails = await mailsAfterJobs();
  expect(mails).toHaveLength(changes.length);
  expect(new Set(mails.map(({ subject }) => subject)).size).toBe(1);
  expect(new Set(mails.map(({ text_body }) => text_body)).size).toBe(changes.length);
  expect(mails.every(({ text_body }) => text_body.includes('https://italk.example/reset-password'))).toBe(
    true,
  );
});

test('emails sign-in links that work for ten minutes, like codes', async () => {
  const { id } = await addClient(db);
  await transact(ctx, (tx) => tx.emit(tx, 'accounts.sign_in_link_requested', { userId: id }));
  const [mail] = await mailsAfterJobs();
  expect(mail!.text_body).toContain('The link works once, for 10 minutes.');
  const [, token = ''] = /\/sign-in-link#([\w-]{32})/.exec(mail!.text_body)!;
  const taken = (minutes: number) =>
    transact({ ...ctx, now: () => ctx.now().add({ minutes }) }, async (tx) => {
      await consumeLinkToken(tx, 'sign-in', token);
      throw new Error('works');
    });
  await expect(taken(9)).rejects.toThrow('works');
  await expect(taken(10)).rejects.toMatchObject({ reason: 'link_expired' });
});

test('exports no token from emailed links, wherever it is in the URL', async () => {
  const { id } = await addClient(db);
  await transact(ctx, (tx) => tx.emit(tx, 'accounts.sign_in_link_requested', { userId: id }));
  await ask('accounts.password_reset_requested', id);
  const mails = await mailsAfterJobs();
  const [, tail = ''] =
    /\/sign-in-link#([\w-]{32})/.exec(mails.map((mail) => mail.text_body).join('\n')) ?? [];
  const [, behind = ''] =
    /\/reset-password\?\S*#([\w-]{32})/.exec(mails.map((mail) => mail.text_body).join('\n')) ?? [];
  const older = 'o'.repeat(32);
  const [booking, claim, guest] = ['b', 'c', 'g'].map((letter) => letter.repeat(43));
  await transact(ctx, (tx) =>
    sendMail(tx, {
      key: `links:${id}`,
      kind: 'booking_link',
      to: `${id}@people.example`,
      subject: 'Links',
      text: `https://italk.example/verify?token=${older}&next=%2F https://italk.example/booking#${booking} https://italk.example/client-invitation#${claim}`,
      html: `<a href="https://italk.example/invitation/${guest}">in</a>`,
    }),
  );
  const { tables } = await notificationsPersonal.collect(ctx, id);
  expect(tables['mails']).toHaveLength(3);
  const archived = JSON.stringify(tables);
  for (const key of [tail, behind, older, booking!, claim!, guest!]) {
    expect(key.length).toBeGreaterThan(30);
    expect(archived).not.toContain(key);
  }
});
