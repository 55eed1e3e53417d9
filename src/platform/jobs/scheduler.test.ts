import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Ctx } from '../context.ts';
import { runSchedules, type Schedule } from './scheduler.ts';

const noon = Temporal.Instant.from('2026-03-02T12:00:00Z');
let now = noon;
const actors: string[] = [];
const logged: unknown[][] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  now = noon;
  actors.length = 0;
  logged.length = 0;
});
afterEach(() => vi.useRealTimers());

function run(...schedules: Schedule[]) {
  return runSchedules(schedules, {
    contextOf: (name) => {
      actors.push(name);
      return { now: () => now } as Ctx;
    },
    log: {
      warn: (...said: unknown[]) => void logged.push(['warn', ...said]),
      error: (...said: unknown[]) => void logged.push(['error', ...said]),
    },
  });
}

/** Lets a run that has nothing to wait for end. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

const pass = async (span: Temporal.DurationLike) => {
  now = now.add(span);
  vi.advanceTimersByTime(Temporal.Duration.from(span).total('milliseconds'));
  await settle();
};

test('runs each schedule at once and then at its own interval', async () => {
  const ran: string[] = [];
  const note = (name: string) => () => Promise.resolve(ran.push(name));
  const scheduler = run(
    { name: 'seal', every: { seconds: 2 }, run: note('seal') },
    { name: 'tidy', every: { seconds: 3 }, run: note('tidy') },
  );
  expect(ran).toEqual(['seal', 'tidy']);
  expect(new Set(actors)).toEqual(new Set(['seal', 'tidy']));
  await settle();
  await pass({ seconds: 2 });
  expect(ran).toEqual(['seal', 'tidy', 'seal']);
  await pass({ seconds: 1 });
  expect(ran).toEqual(['seal', 'tidy', 'seal', 'tidy']);
  await scheduler.stop();
});

test('skips starts while a run lasts, and reports since when', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const scheduler = run({
    name: 'backups',
    every: { seconds: 3 },
    run: () => {
      runs.push(Promise.withResolvers());
      return runs.at(-1)!.promise;
    },
  });
  await pass({ seconds: 3 });
  await pass({ seconds: 3 });
  expect(runs).toHaveLength(1);
  expect(scheduler.states()).toMatchObject([{ startedAt: noon, endedAt: null, milliseconds: null }]);
  runs[0]!.resolve();
  await settle();
  expect(scheduler.states()).toMatchObject([
    { name: 'backups', startedAt: noon, endedAt: noon.add({ seconds: 6 }), failing: false, failedAt: null },
  ]);
  await pass({ seconds: 3 });
  expect(runs).toHaveLength(2);
  runs[1]!.resolve();
  await scheduler.stop();
});

test('logs a failed run, keeps its time, and runs again', async () => {
  const failure = new Error('no answer');
  let broken = true;
  const scheduler = run({
    name: 'tidy',
    every: { hours: 1 },
    run: () => (broken ? Promise.reject(failure) : Promise.resolve()),
  });
  await settle();
  expect(logged).toEqual([
    ['error', { err: failure, schedule: 'tidy' }, 'scheduled work failed; it runs again on schedule'],
  ]);
  expect(scheduler.states()).toMatchObject([{ failing: true, failedAt: noon }]);
  broken = false;
  await pass({ hours: 1 });
  expect(scheduler.states()).toMatchObject([
    { endedAt: noon.add({ hours: 1 }), failing: false, failedAt: noon },
  ]);
  expect(logged).toHaveLength(1);
  await scheduler.stop();
});

test('stops by aborting and awaiting the current run, then ends the schedule', async () => {
  const order: string[] = [];
  const scheduler = run({
    name: 'presence',
    every: { seconds: 10 },
    run: (_, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          order.push('aborted');
          reject(signal.reason as Error);
        }),
      ),
    end: () => Promise.resolve(order.push('ended')),
  });
  await scheduler.stop();
  await pass({ seconds: 10 });
  expect(order).toEqual(['aborted', 'ended']);
  expect(logged).toEqual([
    ['warn', expect.objectContaining({ schedule: 'presence' }), expect.stringContaining('program stopped')],
  ]);
});
