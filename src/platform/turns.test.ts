import { expect, test } from 'vitest';
import { limitConcurrency } from './turns.ts';

test('runs a limited number per key at a time, in order, and continues after a failure', async () => {
  const inTurn = limitConcurrency(2);
  const begun: number[] = [];
  const releases: (() => void)[] = [];
  const work = (n: number) =>
    inTurn('one', async () => {
      begun.push(n);
      await new Promise<void>((resolve) => releases.push(resolve));
      if (n === 0) throw new Error('wrong');
      return n;
    });
  const all = Promise.allSettled([0, 1, 2, 3].map(work));
  await inTurn('another', () => Promise.resolve());
  expect(begun).toEqual([0, 1]);
  while (releases.length > 0) {
    releases.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
    expect(releases.length).toBeLessThanOrEqual(2);
  }
  expect(begun).toEqual([0, 1, 2, 3]);
  expect((await all).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});
