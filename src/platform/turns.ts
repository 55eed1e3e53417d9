/** Requests answered at once for one person or guests' network, so that they don't take every database connection. */
export const answersAtOnce = 8;

/**
 * Limits concurrent work per key to `width` in this process; the rest queues. So few attempts are counted before
 * they're checked; correct ones are refunded.
 */
export function limitConcurrency(
  width: number,
): <T>(key: string, work: (waited: boolean) => Promise<T>) => Promise<T> {
  const running = new Map<string, { count: number; waiting: (() => void)[] }>();
  return async (key, work) => {
    const line = running.get(key) ?? { count: 0, waiting: [] };
    running.set(key, line);
    const waits = line.count >= width;
    if (!waits) line.count++;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await work(waits);
    } finally {
      const next = line.waiting.shift();
      // Hands its turn to the longest waiting task.
      if (next) next();
      else if (--line.count === 0) running.delete(key);
    }
  };
}
