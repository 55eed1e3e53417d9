import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Log } from '../log.ts';
import { answerMs, dismiss } from './closing.ts';
import { openEar } from './ear.ts';
import { noticeReader } from './notices.ts';
import { channel } from './publish.ts';
import { openSockets, type Grant } from './sockets.ts';
import { openTelling } from './telling.ts';

/** Client spec, section 9: a beat every 25 s; who misses one is gone. */
const heartbeatMs = 25_000;
/** What a browser may say at once, in bytes: the longest is the description of a call with several pictures. */
const maxFrame = 64 * 1024;
/** How long the farewells of closed sockets are waited for when the server closes, in milliseconds. */
const farewellMs = 5_000;

/** A process's sockets and its ear to the others. */
export interface Hub {
  /** Takes over an upgrade request whose path and origin were checked; `grant` says who it is and which topics are theirs. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, grant: Grant): void;
  /** Hears every notice of the given channel as well, such as `pages` for the page cache. */
  listen(other: string, hear: (payload: string) => void): Promise<void>;
  /** Closes every socket with 1012 (service restart), so that browsers come back, and waits for what follows from it. */
  close(): Promise<void>;
}

/** Opens the hub: sockets, and one line to the database by which it hears the other processes. */
export async function openHub(databaseUrl: string, log: Log): Promise<Hub> {
  // The types of the library don't know `closeTimeout` yet, which they take in a variable.
  const options = { noServer: true, maxPayload: maxFrame, closeTimeout: answerMs };
  const server = new WebSocketServer(options);
  const others = new Map<string, (payload: string) => void>();
  const ear = await openEar(databaseUrl, log, () => {
    // What was said meanwhile is lost: browsers refetch when they come back, the page cache forgets.
    void dismissAll(server);
    for (const hear of others.values()) hear('');
  });
  const hubId = randomUUID();
  let told = 0;
  const telling = openTelling(ear, log, () => `${hubId}-${told++}`);
  const sockets = openSockets((notice) => telling.tell(notice), log);
  const read = noticeReader();
  await ear.listen(channel, (payload) => {
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
      await ear.listen(other, hear);
    },
    async close() {
      closed = true;
      stopBeating();
      const farewell = async () => {
        await dismissAll(server);
        await sockets.settled();
        await telling.told();
      };
      await Promise.race([farewell(), new Promise((resolve) => setTimeout(resolve, farewellMs).unref())]);
      await ear.close();
    },
  };
}

/** Sends every browser to come back; resolves once all are gone. */
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

/** Pings every socket at each beat and ends those that didn't answer the last one; the answer stops it. */
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
