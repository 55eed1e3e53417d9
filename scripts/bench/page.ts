import { Worker } from 'node:worker_threads';
import { median, type Figure } from './figure.ts';
import { measure, type Load } from './load.ts';

/** Concurrency, and duration in seconds. */
const connections = 20;
const seconds = 2;
/** The median of alternating rounds counts, since other processes disturb some. */
const maxRounds = 5;
/** For a page rendered for every visit, in milliseconds. */
const longestFresh = 300;

/** Compares a guest page with a bare `node:http` server sending identical bytes. */
export async function benchPage(name: string, url: string, rounds = maxRounds): Promise<Figure[]> {
  const headers = { 'accept-encoding': 'gzip' };
  const page = await fetch(url, { headers });
  await page.arrayBuffer();
  const raw = await rawBody(url, headers);
  const bare = await bareServer(raw, page.headers.get('content-encoding') ?? 'identity');
  try {
    // Warms up both, then alternates, so neither gets a quieter machine.
    await measure(url, { connections, seconds: 2, headers });
    await measure(bare.url, { connections, seconds: 2, headers });
    const ours: Load[] = [];
    const theirs: Load[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await measure(url, { connections, seconds, headers }));
      theirs.push(await measure(bare.url, { connections, seconds, headers }));
    }
    const ratio = median(ours.map(({ perSecond }, round) => perSecond / theirs[round]!.perSecond));
    const [a, b] = [ours, theirs].map((loads) => ({
      perSecond: Math.round(median(loads.map(({ perSecond }) => perSecond))),
      p99: median(loads.map(({ p99 }) => p99)),
    })) as [Load, Load];
    return [
      {
        name,
        value: `${ratio.toFixed(2)} of bare (${a.perSecond} against ${b.perSecond} requests a second; p99 ${a.p99} against ${b.p99} ms; ${raw.byteLength} bytes)`,
        aim: 'at least 0.7 of bare',
        met: ratio >= 0.7,
      },
    ];
  } finally {
    await bare.stop();
  }
}

/** Measures a page that is rendered for every visit; visits at the same moment share a rendering. */
export async function benchFreshPage(name: string, url: string): Promise<Figure[]> {
  const headers = { 'accept-encoding': 'gzip' };
  await measure(url, { connections, seconds: 2, headers });
  const { perSecond, p99 } = await measure(url, { connections, seconds: 3 * seconds, headers });
  return [
    {
      name,
      value: `${Math.round(perSecond)} requests a second, ${connections} at once; p99 ${p99} ms`,
      aim: `p99 under ${longestFresh} ms`,
      met: p99 < longestFresh,
    },
  ];
}

async function rawBody(url: string, headers: Record<string, string>): Promise<Buffer> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve(Buffer.concat(parts)));
    }).on('error', reject);
  });
}

/** Serves these bytes from a worker thread, since the product has its own process. */
async function bareServer(
  body: Buffer,
  encoding: string,
): Promise<{ url: string; stop(): Promise<unknown> }> {
  const worker = new Worker(new URL('./bare-server.ts', import.meta.url), { workerData: { body, encoding } });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return { url: `http://localhost:${port}/`, stop: () => worker.terminate() };
}
