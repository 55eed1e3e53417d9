import { expect, inject } from 'vitest';
import { hashOf, randomFrom } from './random.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Seeds the sampling; `ITALK_SEED` repeats a run. */
    seed: number;
    proving: boolean;
    /** Words that a screen or state must contain to be shown (`npm run gallery`); undefined in tests. */
    gallery: string | undefined;
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
