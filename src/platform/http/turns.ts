/**
 * Lets at most `width` pieces of work under one key run at a time in this process; the others wait for their turn. What
 * counts before it is checked then never holds more than so many tries that may turn out to be right.
 */
export function inTurns(width: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, { count: number; waiting: (() => void)[] }>();
  return async (key, work) => {
    const line = running.get(key) ?? { count: 0, waiting: [] };
    running.set(key, line);
    if (line.count < width) line.count++;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      // The place goes straight to who waits longest.
      if (next) next();
      else if (--line.count === 0) running.delete(key);
    }
  };
}
