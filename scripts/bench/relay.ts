import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { WebSocket } from 'ws';
import type { Figure } from './figure.ts';

/** Many short rounds in turn, of which the middle counts: what else the machine does disturbs some of them. */
const rounds = 7;
const framesARound = 20_000;
/** How many frames are under way at once, as in a call that begins. */
const inFlight = 200;
/** As long as a candidate of a call. */
const signal =
  'candidate:842163049 1 udp 1677729535 203.0.113.7 46154 typ srflx raddr 0.0.0.0 rport 0 '.repeat(2);

/** Frames go in at one socket of a server and come out at another, which may be of another server. */
interface Way {
  from: WebSocket;
  to: WebSocket;
  said: string;
}

/**
 * Measures how many frames a second go from one socket to another by way of the product's hub, in one process and over
 * two, against a bare `ws` server that echoes them.
 */
export async function benchRelay(databaseUrl: string): Promise<Figure[]> {
  const workers = [null, databaseUrl, databaseUrl].map(
    (url) => new Worker(new URL('relay-server.ts', import.meta.url), { workerData: { databaseUrl: url } }),
  );
  try {
    const ports = await Promise.all(
      workers.map(async (worker) => ((await once(worker, 'message')) as [number])[0]),
    );
    const said = JSON.stringify({ type: 'relay', to: 'ben', signal });
    const open = async (server: number, personId: string): Promise<WebSocket> => {
      const socket = new WebSocket(`ws://127.0.0.1:${ports[server]}/?as=${personId}`);
      await once(socket, 'open');
      return socket;
    };
    const echo = await open(0, 'anna');
    const bare: Way = { from: echo, to: echo, said };
    const near: Way = { from: await open(1, 'anna'), to: await open(1, 'ben'), said };
    const far: Way = { from: near.from, to: await open(2, 'cleo'), said: said.replace('ben', 'cleo') };
    const times = new Map<Way, number[]>([bare, near, far].map((way) => [way, []]));
    for (const way of times.keys()) await flow(way, framesARound);
    for (let round = 0; round < rounds; round++)
      for (const [way, of] of times) of.push(await flow(way, framesARound));
    for (const { from, to } of times.keys()) for (const socket of [from, to]) socket.terminate();
    const figure = (name: string, way: Way): Figure => {
      const [ours, theirs] = [times.get(way)!, times.get(bare)!];
      const ratio = middle(theirs.map((time, round) => time / ours[round]!));
      const perSecond = (of: number[]) => Math.round((framesARound * 1000) / middle(of)).toLocaleString('en');
      return {
        name,
        value: `${ratio.toFixed(2)} of bare (${perSecond(ours)} against ${perSecond(theirs)} a second, ${inFlight} under way)`,
        aim: 'at least half of a bare echo',
        met: ratio >= 1 / 2,
      };
    };
    return [
      figure('frames from socket to socket in one process', near),
      figure('frames from socket to socket over two processes', far),
    ];
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** Sends so many frames with so many under way; returns the milliseconds until the last one has arrived. */
async function flow({ from, to, said }: Way, count: number): Promise<number> {
  const began = performance.now();
  let [sent, arrived] = [0, 0];
  await new Promise<void>((resolve) => {
    const more = () => {
      while (sent < count && sent - arrived < inFlight) {
        from.send(said);
        sent++;
      }
    };
    const heard = () => {
      arrived++;
      if (arrived < count) return more();
      to.off('message', heard);
      resolve();
    };
    to.on('message', heard);
    more();
  });
  return performance.now() - began;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
