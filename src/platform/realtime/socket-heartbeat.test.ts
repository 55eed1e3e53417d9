import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { testDatabase } from '../../../tests/support/database.ts';
import { openLog } from '../log.ts';
import { openHub } from './hub.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('pings each socket every 25 seconds and disconnects unresponsive ones', async () => {
  const database = await testDatabase();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const hub = await openHub(database.url, openLog('silent'));
  const server = createServer();
  server.on('upgrade', (request, socket, head) =>
    hub.accept(request, socket, head, {
      personId: 'anna',
      topics: [],
      since: null,
      onFrame: () => Promise.resolve('handled'),
      context: () => database.as({ kind: 'system' }),
      rateLimitFactor: 1,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (autoPong: boolean) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { autoPong });
    let pings = 0;
    socket.on('ping', () => (pings += 1));
    await once(socket, 'open');
    return { socket, pings: () => pings };
  };
  try {
    const [lively, silent] = [await open(true), await open(false)];
    vi.advanceTimersByTime(24_999);
    expect([lively.pings(), silent.pings()]).toEqual([0, 0]);
    vi.advanceTimersByTime(1);
    await expect.poll(() => [lively.pings(), silent.pings()]).toEqual([1, 1]);
    const gone = once(silent.socket, 'close');
    // This pong proves the server has handled the earlier heartbeat reply.
    lively.socket.ping();
    await once(lively.socket, 'pong');
    vi.advanceTimersByTime(25_000);
    expect((await gone)[0]).toBe(1006);
    await expect.poll(lively.pings).toBe(2);
    expect(lively.socket.readyState).toBe(WebSocket.OPEN);
  } finally {
    await hub.close();
    server.close();
  }
});
