import { expect, test } from 'vitest';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { createFairQueue } from './turns.ts';

/** Work that runs until the test ends it. */
function piece(name: string, log: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const work = async () => {
    log.push(name);
    await promise;
    return name;
  };
  return { work, end: resolve, fail: reject };
}

test('runs one job at a time, taking turns between owners', async () => {
  const inTurn = createFairQueue({ all: 5, each: 3 });
  const log: string[] = [];
  const pieces = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => piece(name, log));
  const done = ['a', 'a', 'a', 'b', 'c'].map((owner, at) => inTurn(owner, pieces[at]!.work));
  await Promise.resolve();
  expect(log).toEqual(['a1']);
  for (const { end } of pieces) end();
  expect(await Promise.all(done)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  expect(log).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
});

test('rejects jobs beyond owner and total limits, and continues after a failure', async () => {
  const inTurn = createFairQueue({ all: 3, each: 2 });
  const log: string[] = [];
  const failing = piece('failing', log);
  const failed = inTurn('a', failing.work);
  const second = inTurn('a', () => Promise.resolve('second'));
  expect(await refusalOf(inTurn('a', () => Promise.resolve()))).toMatchObject({
    code: 'unavailable',
    reason: 'busy',
  });
  const third = inTurn('b', () => Promise.resolve('third'));
  expect((await refusalOf(inTurn('c', () => Promise.resolve()))).reason).toBe('busy');
  failing.fail(new Error('broken'));
  await expect(failed).rejects.toThrow('broken');
  expect(await Promise.all([second, third])).toEqual(['second', 'third']);
  expect(await inTurn('c', () => Promise.resolve('later'))).toBe('later');
});
