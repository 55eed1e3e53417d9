import { expect, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Seeds the sampling; `ITALK_SEED` repeats a run. */
    seed: number;
    proving: boolean;
  }
}

/** True if long proofs run in full (`npm run prove`); `npm test` samples each. */
export const proving = inject('proving');

/** Returns everything when proving, otherwise `count` items in random order, fixed by the run's seed and test name. */
export function sampleOf<T>(all: readonly T[], count: number): readonly T[] {
  if (proving) return all;
  const random = randomFrom(inject('seed') ^ hashOf(expect.getState().currentTestName ?? ''));
  const shuffled = all.map((one) => ({ one, key: random() })).toSorted((a, b) => a.key - b.key);
  return shuffled.slice(0, count).map(({ one }) => one);
}

/** 32-bit FNV-1a hash. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  return hash;
}

/** mulberry32: pseudorandom numbers from 0 (inclusive) to 1 (exclusive). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
