import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { median, type Figure } from './figure.ts';

/** Takes the median of many short alternating rounds, since other processes disturb some. */
const rounds = 7;
const framesARound = 20_000;
/** Frames in flight, as when a call starts. */
const inFlight = 200;
/** Sized like an ICE candidate. */
const signal =
  'candidate:842163049 1 udp 1677729535 203.0.113.7 46154 typ srflx raddr 0.0.0.0 rport 0 '.repeat(2);

interface Way {
  from: WebSocket;
  to: WebSocket;
  said: string;
}

/**
 * Measures frames per second between two sockets through the product's hub, in one process and across two, against a
 * bare `ws` echo server.
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
      const ratio = median(theirs.map((time, round) => time / ours[round]!));
      const perSecond = (of: number[]) => Math.round((framesARound * 1000) / median(of)).toLocaleString('en');
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
    const received = () => {
      arrived++;
      if (arrived < count) return more();
      to.off('message', received);
      resolve();
    };
    to.on('message', received);
    more();
  });
  return performance.now() - began;
}
