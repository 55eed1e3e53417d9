import { randomBytes } from 'node:crypto';
import { startProduct } from '../../scripts/product.ts';
import { expect, test } from './support/fixtures.ts';

test('in production HIPAA is claimed once it is attested, and no hint invites to try', async ({
  request,
}) => {
  test.setTimeout(180_000);
  const demo = await startProduct();
  const [database] = await demo.query<{ folder: string }>(
    `select current_setting('unix_socket_directories') as folder`,
  );
  const env = {
    ITALK_MODE: 'production',
    DATABASE_URL: `postgres://italk@localhost/italk?host=${encodeURIComponent(database!.folder)}`,
    APP_URL: 'https://italk.example',
    AUTH_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64url')}`,
    PRIVATE_NOTES_KEYS: `test:${randomBytes(32).toString('base64url')}`,
    BACKUP_KEYS: `test:${randomBytes(32).toString('base64url')}`,
    ADMIN_EMAILS: 'admin@italk.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'iTalk <no-reply@italk.example>',
    TRUSTED_PROXIES: '0',
  };
  try {
    for (const [attested, sentence] of [
      ['false', 'Sessions are held in a secure, private environment.'],
      ['true', 'Sessions are held in a secure, privacy-minded, HIPAA-compliant environment.'],
    ] as const) {
      const live = await startProduct({ env: { ...env, HIPAA_ATTESTED: attested } });
      try {
        const page = await (await request.get(`${live.url}/`)).text();
        expect(page).toContain(sentence);
        expect(page.includes('HIPAA-compliant')).toBe(attested === 'true');
        const card = await (await request.get(`${live.url}/?auth=1`)).text();
        expect(card).toContain('Sign in to iTalk');
        expect(card).not.toContain('Demo: Use any email');
      } finally {
        await live.stop();
      }
    }
  } finally {
    await demo.stop();
  }
});
