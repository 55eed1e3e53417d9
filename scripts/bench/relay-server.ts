import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { handleFrame } from '#/app/frames.ts';
import type { Ctx } from '#/platform/context.ts';
import { openLog } from '#/platform/log.ts';
import { frame } from '#/platform/realtime/frames.ts';
import { openHub } from '#/platform/realtime/hub.ts';

/** Relays one frame type through the product's hub; without a database, echoes frames directly. */
const { databaseUrl } = workerData as { databaseUrl: string | null };

const server = createServer();
if (databaseUrl) {
  const log = openLog('error');
  const hub = await openHub(databaseUrl, log);
  const frames = [
    frame({
      type: 'relay',
      schema: z.object({ to: z.string(), signal: z.string() }),
      handle: (_ctx, { to, signal }, connection) =>
        Promise.resolve(connection.tell([`person:${to}`], { type: 'relay', id: to, data: { signal } })),
    }),
  ];
  const context = () => ({ requestId: 'bench' }) as Ctx;
  server.on('upgrade', (request, socket, head) => {
    const personId = new URL(request.url ?? '', 'http://x').searchParams.get('as') ?? '';
    hub.accept(request, socket, head, {
      personId,
      topics: [`person:${personId}`],
      since: null,
      onFrame: (text, connection) =>
        handleFrame(frames, text, { connection, context, log, speaker: () => Promise.resolve('same') }),
      context,
      rateLimitFactor: 1_000_000,
    });
  });
} else {
  const bare = new WebSocketServer({ server });
  bare.on('connection', (socket) => socket.on('message', (data: Buffer) => socket.send(data.toString())));
}
server.listen(0, '127.0.0.1', () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage((server.address() as AddressInfo).port);
});
