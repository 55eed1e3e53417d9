import { expect, test } from 'vitest';
import { shareRenderings } from './shared-rendering.ts';

/** Renderings that end when told to. */
function stage() {
  const share = shareRenderings<number>();
  const ends: PromiseWithResolvers<void>[] = [];
  const ask = (key = '/therapists') =>
    share(key, async () => {
      const end = Promise.withResolvers<void>();
      const number = ends.push(end);
      await end.promise;
      return number;
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { ask, ends, settle };
}

test('renders once for requests that wait together, and again for those that come later', async () => {
  const { ask, ends, settle } = stage();
  const first = ask();
  await settle();
  const later = [ask(), ask(), ask()];
  const other = ask('/therapists?kind=pastor');
  await settle();
  expect(ends).toHaveLength(2);
  ends[0]!.resolve();
  ends[1]!.resolve();
  expect([await first, await other]).toEqual([1, 2]);
  await settle();
  ends[2]!.resolve();
  expect(await Promise.all(later)).toEqual([3, 3, 3]);
  const last = ask();
  await settle();
  ends[3]!.resolve();
  expect(await last).toBe(4);
});

test('renders again after a failure', async () => {
  const { ask, ends, settle } = stage();
  const first = ask();
  await settle();
  const second = ask();
  ends[0]!.reject(new Error('no database'));
  await expect(first).rejects.toThrow('no database');
  await settle();
  ends[1]!.resolve();
  expect(await second).toBe(2);
});
