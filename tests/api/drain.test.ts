import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addClient } from '../support/people.ts';
import { testServer } from '../support/server.ts';

const server = await testServer({ config: { drainSeconds: 2 } });
const restarted = await testServer({ config: { drainSeconds: 1 } });
const other = await testServer();

test('reports shutdown first, keeps serving, and closes every connection', { tags: ['long'] }, async () => {
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

test('loses no change behind a readiness-checking load balancer', { tags: ['long'] }, async () => {
  const behind = await Promise.all(
    [restarted, other].map(async (one) => ({
      ready: true,
      guest: one.guest,
      client: await one.signIn(await addClient(one.database.db)),
    })),
  );
  const over = new AbortController();
  const asking = behind.map(async (one) => {
    while (!over.signal.aborted) {
      const asked = one.guest.send('GET', '/readyz').then(({ status }) => status === 200);
      one.ready = await asked.catch(() => false);
      // Polling interval.
      await sleep(200);
    }
  });
  const outcomes: unknown[] = [];
  let turn = 0;
  const changing = [1, 2, 3, 4].map(async () => {
    while (!over.signal.aborted) {
      const ready = behind.filter((one) => one.ready);
      const { client } = ready[turn++ % ready.length]!;
      const changed = client.send('POST', '/api/me/profile', { body: { fullName: `Ruth ${turn}` } });
      outcomes.push(
        await changed.then(
          ({ status }) => status,
          (error: unknown) => error,
        ),
      );
    }
  });
  const changes = async (more: number) => {
    const before = outcomes.length;
    await expect.poll(() => outcomes.length).toBeGreaterThan(before + more);
  };
  await changes(10);
  await restarted.close();
  await changes(10);
  over.abort();
  await Promise.all([...asking, ...changing]);
  expect(behind.map(({ ready }) => ready)).toEqual([false, true]);
  expect(outcomes.length).toBeGreaterThan(20);
  expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
});
