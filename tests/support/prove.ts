import { expect, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Picks what a run's samples hold; a run is repeated with the same one in `ITALK_SEED`. */
    seed: number;
    /** Whether long proofs run whole (`npm run prove`). */
    proving: boolean;
  }
}

/** Whether long proofs run whole (`npm run prove`). `npm test` runs a sample of each. */
export const proving = inject('proving');

/** All of it when proving, otherwise `count` of it in a random order that the run's seed and the test's name fix. */
export function sampleOf<T>(all: readonly T[], count: number): readonly T[] {
  if (proving) return all;
  const random = randomFrom(inject('seed') ^ hashOf(expect.getState().currentTestName ?? ''));
  const shuffled = all.map((one) => ({ one, key: random() })).toSorted((a, b) => a.key - b.key);
  return shuffled.slice(0, count).map(({ one }) => one);
}

/** A number of 32 bits that follows from a text (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  return hash;
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
