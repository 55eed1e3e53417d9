import autocannon from 'autocannon';

export interface Load {
  perSecond: number;
  /** In milliseconds. */
  p99: number;
}

/** Loads one loopback URL for a fixed duration; throws on any response other than 200. */
export async function measure(
  url: string,
  options: { connections: number; seconds: number; headers?: Record<string, string> },
): Promise<Load> {
  if (new URL(url).hostname !== 'localhost') throw new Error('Loads go to this machine only.');
  const result = await autocannon({
    url,
    connections: options.connections,
    duration: options.seconds,
    headers: options.headers ?? {},
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx + result.errors} answers weren't 200`);
  return { perSecond: result.requests.average, p99: result.latency.p99 };
}

/** Works through the items, so many at once; returns the milliseconds that took. */
export async function timeOf<Item>(
  items: readonly Item[],
  inFlight: number,
  work: (item: Item) => Promise<unknown>,
): Promise<number> {
  const began = performance.now();
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return performance.now() - began;
}

/** Sends so many requests, so many at once; returns their milliseconds, ascending. */
export async function latencies(
  count: number,
  inFlight: number,
  ask: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  await timeOf([...Array(count).keys()], inFlight, async (index) => {
    const began = performance.now();
    await ask(index);
    times.push(performance.now() - began);
  });
  return times.toSorted((a, b) => a - b);
}

/** The value below which this share of the ascending values lies. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.floor(ascending.length * share)]!;
}
