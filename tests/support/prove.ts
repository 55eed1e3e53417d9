import { createHash } from 'node:crypto';
import { expect, inject } from 'vitest';

/** Whether long proofs run whole (`npm run prove`). `npm test` runs a sample of each. */
export const proving = process.env.ITALK_PROVE === 'true';

/** All of it when proving, otherwise `count` of it in a random order that the run's seed and the test's name fix. */
export function sampleOf<T>(all: readonly T[], count: number): readonly T[] {
  if (proving) return all;
  const { currentTestName = '' } = expect.getState();
  const random = randomFrom(
    createHash('sha256')
      .update(`${inject('seed')} ${currentTestName}`)
      .digest()
      .readUInt32LE(),
  );
  const shuffled = all.map((one) => ({ one, key: random() })).toSorted((a, b) => a.key - b.key);
  return shuffled.slice(0, count).map(({ one }) => one);
}

/** Numbers from 0 to below 1 that follow from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
