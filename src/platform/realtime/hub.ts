import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Ctx } from '../context.ts';
import type { Log } from '../log.ts';
import type { Connection } from './frames.ts';
import { channel, type Notice, type RealtimeMessage } from './publish.ts';

/** Client spec, section 9: a beat every 25 s; who misses one is gone. */
const heartbeatMs = 25_000;
/** What may wait for a browser that reads slowly, in bytes; past it the socket is closed and catches up anew. */
const maxBuffered = 256 * 1024;
const maxSocketsPerPerson = 20;
/** What a browser may say at once, in bytes: the longest is the description of a call with several pictures. */
const maxFrame = 64 * 1024;
/** How long browsers may take to answer that a socket is closed, in milliseconds: one that is asleep never does. */
const farewellMs = 2_000;

/** A process's sockets and its ear to the others. */
export interface Hub {
  /** Takes over an upgrade request whose path and origin were checked; `grant` says who it is and which topics are theirs. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, grant: Grant): void;
  /** Hears every notice of the given channel as well, such as `pages` for the page cache. */
  listen(other: string, hear: (payload: string) => void): Promise<void>;
  /** Closes every socket with 1012 (service restart), so that browsers come back. */
  close(): Promise<void>;
}

/** What a signed-in person's socket may hear; decided by the server, never asked for. */
interface Grant {
  personId: string;
  topics: readonly string[];
  /** Takes in what the browser says, one after the other. */
  hear(text: string, connection: Connection): Promise<void>;
  /** Of the person, for what is to be done once the socket is closed. */
  context(): Ctx;
}

/** Opens the hub: one database connection that listens, reconnecting when it is lost. */
export async function openHub(databaseUrl: string, log: Log): Promise<Hub> {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrame });
  const byTopic = new Map<string, Set<WebSocket>>();
  const perPerson = new Map<string, number>();
  const alive = new WeakSet<WebSocket>();
  const ears = new Map<string, (payload: string) => void>([[channel, deliver]]);
  const life = { closed: false };
  let reconnecting = false;
  let client = await connectEar();

  async function connectEar(): Promise<pg.Client> {
    const ear = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      // Else a listener that died in silence is noticed after hours.
      keepAliveInitialDelayMillis: 10_000,
    });
    ear.on('notification', ({ channel: name, payload }) => ears.get(name)?.(payload ?? ''));
    ear.on('error', () => void reconnect());
    ear.on('end', () => void reconnect());
    await ear.connect();
    for (const name of ears.keys()) await ear.query(`listen ${pg.escapeIdentifier(name)}`);
    return ear;
  }

  async function reconnect(): Promise<void> {
    if (life.closed || reconnecting) return;
    reconnecting = true;
    for (let wait = 200; !life.closed; wait = Math.min(wait * 2, 5_000)) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      try {
        client = await connectEar();
        // What was said meanwhile is lost: browsers refetch when they come back, the page cache forgets.
        for (const socket of server.clients) socket.close(1012);
        for (const [name, hear] of ears) if (name !== channel) hear('');
        break;
      } catch (error) {
        log.warn({ err: error }, 'realtime: the database is out of reach');
      }
    }
    reconnecting = false;
  }

  function deliver(payload: string): void {
    const { topics, message } = JSON.parse(payload) as Notice;
    const text = message && JSON.stringify(message);
    const listeners = new Set(topics.flatMap((topic) => [...(byTopic.get(topic) ?? [])]));
    for (const socket of listeners) {
      if (text === null) socket.close(1008);
      else if (socket.bufferedAmount > maxBuffered) socket.close(1013);
      else socket.send(text);
    }
  }

  /** Tells every process, this one by the same way: what one socket says keeps its order. */
  function tell(topics: readonly string[], message: RealtimeMessage): void {
    const notice: Notice = { topics: [...topics], message };
    client.query('select pg_notify($1, $2)', [channel, JSON.stringify(notice)]).catch((error: unknown) => {
      log.warn({ err: error }, 'realtime: something could not be told');
    });
  }

  function join(socket: WebSocket, { personId, topics, hear, context }: Grant): void {
    perPerson.set(personId, (perPerson.get(personId) ?? 0) + 1);
    const granted = new Set<string>();
    const grant = (topic: string) => {
      granted.add(topic);
      byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(socket));
    };
    const withdraw = (topic: string) => {
      granted.delete(topic);
      byTopic.get(topic)?.delete(socket);
      if (byTopic.get(topic)?.size === 0) byTopic.delete(topic);
    };
    for (const topic of topics) grant(topic);
    const farewells = new Map<string, (ctx: Ctx) => Promise<void>>();
    const connection: Connection = {
      id: randomUUID(),
      grant,
      withdraw,
      send: (message) => socket.send(JSON.stringify(message)),
      tell,
      onClose: (key, act) => farewells.set(key, act),
    };
    let heard = Promise.resolve();
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    socket.on('message', (data: Buffer) => {
      heard = heard.then(() => hear(data.toString(), connection));
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      const left = (perPerson.get(personId) ?? 1) - 1;
      if (left > 0) perPerson.set(personId, left);
      else perPerson.delete(personId);
      for (const topic of granted) withdraw(topic);
      void heard.then(async () => {
        for (const act of farewells.values()) {
          await act(context()).catch((error: unknown) => log.error({ err: error }, 'a farewell failed'));
        }
      });
    });
  }

  const beat = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.has(socket)) socket.terminate();
      else {
        alive.delete(socket);
        socket.ping();
      }
    }
  }, heartbeatMs);
  beat.unref();

  return {
    accept(request, socket, head, grant) {
      const crowded = (perPerson.get(grant.personId) ?? 0) >= maxSocketsPerPerson;
      if (crowded || life.closed) {
        const status = crowded ? '429 Too Many Requests' : '503 Service Unavailable';
        socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
        return;
      }
      server.handleUpgrade(request, socket, head, (opened) => join(opened, grant));
    },
    async listen(other, hear) {
      ears.set(other, hear);
      await client.query(`listen ${pg.escapeIdentifier(other)}`);
    },
    async close() {
      life.closed = true;
      clearInterval(beat);
      for (const socket of server.clients) socket.close(1012);
      setTimeout(() => {
        for (const socket of server.clients) socket.terminate();
      }, farewellMs).unref();
      await client.end();
    },
  };
}
