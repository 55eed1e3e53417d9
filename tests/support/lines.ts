import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect } from 'vitest';
import { WebSocket } from 'ws';
import { frames } from '#/app/api.ts';
import { handleFrame } from '#/app/frames.ts';
import { openLog } from '#/platform/log.ts';
import { openHub, type Hub } from '#/platform/realtime/hub.ts';
import type { TestDatabase } from './database.ts';
import type { Person } from './people.ts';

interface Received {
  type: string;
  id: string;
  data?: unknown;
}

export interface Line {
  person: Person;
  received: Received[];
  /** Sends text unchanged and other values as JSON. */
  say(said: string | Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

export type OpenLine = (person: Person, process: number) => Promise<Line>;

/** Simulates server processes on one database, each with its own hub and accepting the browser's messages. */
export async function openLines(database: TestDatabase, processes = 2): Promise<OpenLine> {
  const log = openLog('silent');
  const hubs: Hub[] = [];
  const servers: Server[] = [];
  const people = new Map<string, Person>();
  for (let i = 0; i < processes; i++) {
    const hub = await openHub(database.url, log);
    const server = createServer();
    server.on('upgrade', (request, socket, head) => {
      const person = people.get(new URL(request.url ?? '', 'http://x').pathname.slice(1))!;
      const context = () => database.as(person);
      hub.accept(request, socket, head, {
        personId: person.id,
        topics: [`person:${person.id}`],
        since: null,
        onFrame: (text, connection) =>
          handleFrame(frames, text, { connection, context, log, speaker: () => Promise.resolve('same') }),
        context,
        rateLimitFactor: 100,
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    hubs.push(hub);
    servers.push(server);
  }
  afterAll(async () => {
    await Promise.all(hubs.map((hub) => hub.close()));
    for (const server of servers) server.close();
  });
  return async (person, process) => {
    people.set(person.id, person);
    const { port } = servers[process]!.address() as AddressInfo;
    return openLine(person, `ws://127.0.0.1:${port}/${person.id}`);
  };
}

export async function openLine(
  person: Person,
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Line> {
  const socket = new WebSocket(address, { headers });
  const received: Received[] = [];
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString()) as Received));
  await once(socket, 'open');
  return {
    person,
    received,
    say: (said) => socket.send(typeof said === 'string' ? said : JSON.stringify(said)),
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** Polls an expectation. */
export function eventually<T>(look: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look);
}
