import { startProduct } from '../../scripts/product.ts';
import { productionEnvironment } from '../support/production.ts';
import { expect, test } from './support/fixtures.ts';

test('claims HIPAA compliance in production only once attested, and shows no demo hint', async ({
  request,
}) => {
  const demo = await startProduct();
  const [database] = await demo.query<{ folder: string }>(
    `select current_setting('unix_socket_directories') as folder`,
  );
  const env = productionEnvironment({
    DATABASE_URL: `postgres://italk@localhost/italk?host=${encodeURIComponent(database!.folder)}`,
    // Skips the wait for a load balancer; the data folder is the test's own.
    DRAIN_SECONDS: '0',
    DATA_DIR: undefined,
  });
  await demo.query('update credentials set password = null');
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

test('warns at startup and on every page if others can reach the demo, and only then', async ({
  request,
  product,
}) => {
  const demo = await startProduct({ env: { HOST: '0.0.0.0' } });
  try {
    expect(demo.written()).toContain('Warning: other people can reach this demo');
    for (const path of ['/', '/services', '/nowhere'])
      expect(await (await request.get(`${demo.url}${path}`)).text()).toContain('anyone can sign in');
  } finally {
    await demo.stop();
  }
  expect(await (await request.get('/')).text()).not.toContain('anyone can sign in');
  expect(product.written()).not.toContain('Warning');
});
