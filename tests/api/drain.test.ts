import { expect, test } from 'vitest';
import { testServer } from '../support/server.ts';

const server = await testServer({ config: { drainSeconds: 2 } });

test('a server that is told to stop says so first, goes on serving, and keeps no connection open', async () => {
  const { guest } = server;
  expect((await guest.send('GET', '/readyz')).status).toBe(200);
  const closed = server.close();
  const ready = await guest.send('GET', '/readyz');
  expect(ready).toMatchObject({ status: 503, json: { database: true, accepting: false } });
  const served = await guest.send('GET', '/api/services');
  expect(served.status).toBe(200);
  for (const { headers } of [ready, served]) expect(headers.connection).toBe('close');
  await closed;
  await expect(guest.send('GET', '/readyz')).rejects.toThrow('ECONNREFUSED');
});
