import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { connectionTimeoutMillis } from '../db/database.ts';
import { openLog } from '../log.ts';
import { openListenConnection } from './listen-connection.ts';

test('times out on a server that accepts the connection but never responds', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const connected = once(silent, 'connection');
    const outcome = openListenConnection(
      `postgresql://nobody@127.0.0.1:${port}/none`,
      openLog('silent'),
      () => {},
    ).then(
      () => 'open',
      (error: unknown) => String(error),
    );
    await connected;
    await vi.advanceTimersByTimeAsync(connectionTimeoutMillis);
    vi.useRealTimers();
    expect(await outcome).toMatch(/timeout/);
  } finally {
    vi.useRealTimers();
    silent.close();
  }
});
