import { expect, test } from 'vitest';
import { testServer } from '../support/server.ts';

const server = await testServer({ config: { appUrl: 'https://italk.test' } });

test.each(['/', '/healthz', '/api/site', '/api/nowhere', '/api/auth/nowhere', '/robots.txt'])(
  'tells browsers to use https for two years, with every kind of answer: %s',
  async (path) => {
    const { headers } = await server.guest.send('GET', path);
    expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
  },
);

test.each([
  ['GET', '/api/site'],
  ['POST', '/api/auth/sign-in/email'],
  ['POST', '/auth/v1/token?grant_type=password'],
  ['GET', '/storage/v1/bucket'],
])('never redirects %s %s to https, which would hide that it came without', async (method, path) => {
  const { status, headers } = await server.guest.send(method, path, {
    headers: { 'x-forwarded-proto': 'http' },
  });
  expect(String(status)).not.toMatch(/^3/);
  expect(headers.location).toBeUndefined();
});
