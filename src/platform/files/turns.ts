import { AppError } from '#/kernel/errors.ts';

export type Turns = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue that runs one task at a time, alternating between owners for fairness. Throws unavailable `busy` at
 * `max.all` pending tasks, or `max.each` per owner.
 */
export function createFairQueue(max: { all: number; each: number }): Turns {
  const waiting = new Map<string, (() => Promise<void>)[]>();
  const takenSlots = new Map<string, number>();
  let all = 0;
  let running = false;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [owner, [first, ...rest]] = next.value;
      waiting.delete(owner);
      if (rest.length > 0) waiting.set(owner, rest);
      await first?.();
    }
    running = false;
  }

  return async <T>(owner: string, work: () => Promise<T>) => {
    const own = takenSlots.get(owner) ?? 0;
    if (all >= max.all || own >= max.each) throw new AppError('unavailable', 'busy');
    all += 1;
    takenSlots.set(owner, own + 1);
    try {
      return await new Promise<T>((resolve, reject) => {
        waiting.set(owner, [...(waiting.get(owner) ?? []), () => work().then(resolve, reject)]);
        void run();
      });
    } finally {
      all -= 1;
      const left = (takenSlots.get(owner) ?? 1) - 1;
      if (left > 0) takenSlots.set(owner, left);
      else takenSlots.delete(owner);
    }
  };
}
