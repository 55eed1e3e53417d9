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
