import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Log } from '../log.ts';
import { answerMs, dismiss } from './closing.ts';
import { openListenConnection } from './listen-connection.ts';
import { noticeReader } from './notices.ts';
import { channel } from './publish.ts';
import { openSockets, type Grant } from './sockets.ts';
import { openNoticeSender } from './notice-sender.ts';

/** Client spec, section 9: pings every 25 s and drops sockets that miss one. */
const heartbeatMs = 25_000;
/** Maximum frame size in bytes; the largest are call descriptions with several video tracks. */
const maxFrame = 64 * 1024;
const farewellMs = 5_000;

export interface Hub {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, grant: Grant): void;
  listen(other: string, hear: (payload: string) => void): Promise<void>;
  /** Closes all sockets with 1012 (service restart), so browsers reconnect, and waits for close handlers. */
  close(): Promise<void>;
}

export async function openHub(databaseUrl: string, log: Log): Promise<Hub> {
  // A variable bypasses the excess property check: the types lack `closeTimeout`.
  const options = { noServer: true, maxPayload: maxFrame, closeTimeout: answerMs };
  const server = new WebSocketServer(options);
  const others = new Map<string, (payload: string) => void>();
  const listener = await openListenConnection(databaseUrl, log, () => {
    // Missed notices are lost: browsers refetch after reconnecting, and the page cache clears.
    void dismissAll(server);
    for (const hear of others.values()) hear('');
  });
  const hubId = randomUUID();
  let sent = 0;
  const sender = openNoticeSender(listener, log, () => `${hubId}-${sent++}`);
  const sockets = openSockets((notice) => sender.send(notice), log);
  const read = noticeReader();
  await listener.listen(channel, (payload) => {
    for (const notice of read(payload)) sockets.deliver(notice);
  });
  const stopBeating = beat(server, () => sockets.sweep());
  let closed = false;

  return {
    accept(request, socket, head, grant) {
      const crowded = sockets.crowded(grant.personId);
      if (crowded || closed) {
        const status = crowded ? '429 Too Many Requests' : '503 Service Unavailable';
        socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
        return;
      }
      server.handleUpgrade(request, socket, head, (opened) => sockets.join(opened, socket, grant));
    },
    async listen(other, hear) {
      others.set(other, hear);
      await listener.listen(other, hear);
    },
    async close() {
      closed = true;
      stopBeating();
      const farewell = async () => {
        await dismissAll(server);
        await sockets.settled();
        await sender.flushed();
      };
      await Promise.race([farewell(), new Promise((resolve) => setTimeout(resolve, farewellMs).unref())]);
      await listener.close();
    },
  };
}

async function dismissAll(server: WebSocketServer): Promise<void> {
  await Promise.all(
    [...server.clients].map(
      (socket) =>
        new Promise((resolve) => {
          socket.once('close', resolve);
          dismiss(socket, 'restart');
        }),
    ),
  );
}

function beat(server: WebSocketServer, also: () => void): () => void {
  const silent = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    also();
    for (const socket of server.clients) {
      if (silent.has(socket)) {
        socket.terminate();
        continue;
      }
      silent.add(socket);
      socket.once('pong', () => silent.delete(socket));
      socket.ping();
    }
  }, heartbeatMs).unref();
  return () => clearInterval(timer);
}
