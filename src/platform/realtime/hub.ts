import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Log } from '#/platform/log.ts';
import { answerMs, dismiss } from './closing.ts';
import { openListenConnection, type ListenConnection } from './listen-connection.ts';
import { noticeReader, packNotices, serializeNotice, type Notice } from './notices.ts';
import { channel } from './publish.ts';
import { openSockets, type Grant } from './sockets.ts';

/** Client spec, section 9: pings every 25 s and drops sockets that miss one. */
const heartbeatMs = 25_000;
/** Maximum frame size in bytes; the largest are call descriptions with several video tracks. */
const maxFrame = 64 * 1024;
const farewellMs = 5_000;

export interface Hub {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, grant: Grant): void;
  listen(other: string, onPayload: (payload: string) => void): Promise<void>;
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
    sockets.restart();
    void dismissAll(server);
    for (const onPayload of others.values()) onPayload('');
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
      const crowded = sockets.crowded(grant);
      if (crowded || closed) {
        const status = crowded ? '429 Too Many Requests' : '503 Service Unavailable';
        socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
        return;
      }
      server.handleUpgrade(request, socket, head, (opened) => sockets.join(opened, socket, grant));
    },
    async listen(other, onPayload) {
      others.set(other, onPayload);
      await listener.listen(other, onPayload);
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

/** Buffer limit in bytes while the database is slow; excess notices are dropped, since late ones are useless. */
const maxWaiting = 4 * 1024 * 1024;

interface NoticeSender {
  send(notice: Notice): void;
  /** Resolves once everything buffered is sent or dropped. */
  flushed(): Promise<void>;
}

/**
 * Batches notices of one tick, and those arriving during a send, into one statement. Notices the database can't take
 * are dropped, not retried; only the first drop is logged.
 */
function openNoticeSender(
  listener: Pick<ListenConnection, 'notify'>,
  log: Log,
  id: () => string,
): NoticeSender {
  let waiting: string[] = [];
  let bytes = 0;
  let busy: Promise<void> | null = null;
  let failing = false;

  function dropped(count: number, error?: unknown): void {
    if (!failing) log.warn({ err: error, count }, 'realtime: unstored messages are dropped');
    failing = true;
  }

  async function work(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const notices = waiting;
      [waiting, bytes] = [[], 0];
      try {
        await listener.notify(channel, packNotices(notices, id));
        failing = false;
      } catch (error) {
        dropped(notices.length, error);
      }
    }
    busy = null;
  }

  return {
    send(notice) {
      const text = serializeNotice(notice);
      if (bytes + text.length > maxWaiting) return dropped(1);
      waiting.push(text);
      bytes += text.length;
      busy ??= work();
    },
    flushed: async () => {
      await busy;
    },
  };
}
