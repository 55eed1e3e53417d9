import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receive } from '#/app/uploads.ts';
import { opensLink } from '#/features/accounts/queries.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import type { StoredFile } from '#/platform/files/files.ts';
import { serveFile } from '#/platform/files/serve.ts';
import { testDatabase } from './support/database.ts';
import { addClient } from './support/people.ts';
import { proving } from './support/prove.ts';

const mebibyte = 1024 * 1024;
const large = (proving ? 150 : 60) * mebibyte;
const database = await testDatabase();
let ctx: Ctx;
let port: number;

const listener = getRequestListener(
  (incoming) => {
    if (incoming.method === 'GET')
      return serveFile(ctx, incoming, new URL(incoming.url).pathname.slice(1), opensLink);
    const upload = {
      path: '/',
      maxBytes: 200 * mebibyte,
      receive: (as: Ctx, { body }: { body: ReadableStream<Uint8Array> }) =>
        as.files.upload(as, { bucket: 'resources', ownerId: actorOf(as), name: 'talk.mp3', body }),
    };
    return receive(upload, incoming, ctx, () => Promise.resolve());
  },
  { overrideGlobalObjects: false },
);
const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));

beforeAll(async () => {
  ctx = database.as(await addClient(database.db));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

function actorOf({ actor }: Ctx): string {
  return actor.kind === 'person' ? actor.id : newId();
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function held(): number {
  // The second pass ends the first one, freeing buffers outside the heap.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const step = 10 * mebibyte;
let most = 0;

function passed(before: number, bytes: number): number {
  if (Math.floor((before + bytes) / step) > Math.floor(before / step)) most = Math.max(most, held());
  return before + bytes;
}

async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = held();
  most = before;
  await work();
  return Math.round((most - before) / mebibyte);
}

function* recording(size: number): Generator<Buffer> {
  const piece = Buffer.alloc(mebibyte, 0x55);
  for (let at = 0; at < size; at = passed(at, mebibyte)) {
    // MP3 frame header: MPEG 1, layer 3, 128 kbit/s, 44.1 kHz.
    yield at === 0 ? Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), piece.subarray(4)]) : piece;
  }
}

async function send(size: number): Promise<StoredFile> {
  const sent = request({ port, method: 'POST', headers: { 'content-length': size } });
  Readable.from(recording(size)).pipe(sent);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await answer.toArray()).toString();
  expect(answer.statusCode, text).toBe(200);
  return JSON.parse(text) as StoredFile;
}

async function fetched(path: string): Promise<number> {
  const asked = request({ port, path }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of answer) bytes = passed(bytes, (chunk as Buffer).length);
  return bytes;
}

test('uploads and downloads a large file without holding it in memory', { tags: ['long'] }, async () => {
  // Warms up first: loading and compiling code also takes memory.
  let file = await send(10 * mebibyte);
  const up = await growth(async () => (file = await send(large)));
  const down = await growth(async () => expect(await fetched(`/${file.id}`)).toBe(large));
  process.stdout.write(`${large / mebibyte} MiB up: ${up} MiB more held; down: ${down} MiB more\n`);
  expect(Math.max(up, down)).toBeLessThan(large / mebibyte / 2);
});
