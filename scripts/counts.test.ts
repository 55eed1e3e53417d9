import { describe, expect, it } from 'vitest';
import { type PlaywrightReport, countPlaywright, countVitest, slowestFirst, timeLine } from './counts.ts';

const file = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  message: status === 'failed' ? 'it could not be read' : '',
  assertionResults: tests.map((each, at) => ({
    fullName: `test ${at}`,
    status: each,
    failureMessages: each === 'failed' ? ['expected 1 to be 2\nat a.test.ts:3'] : [],
  })),
});

const journeys = (...statuses: string[]): PlaywrightReport['suites'] => [
  {
    specs: [],
    suites: [
      {
        specs: statuses.map((status, at) => ({
          title: `journey ${at}`,
          file: 'a.spec.ts',
          line: 7,
          tests: [
            {
              status,
              results: [
                { errors: status === 'unexpected' ? [{ message: 'no such button' }] : [], duration: 900 },
              ],
            },
          ],
        })),
      },
    ],
  },
];

const fine = { ok: true, output: '' };
const bad = { ok: false, output: 'Unhandled error\n\n  a socket closed\n' };

describe('the result counts', () => {
  it('treat skipped, flaky and todo tests as failed', () => {
    const report = { success: true, testResults: [file('passed', 'passed', 'skipped', 'todo', 'passed')] };
    expect(countVitest(report, fine)).toEqual({
      passed: 2,
      skipped: 0,
      failed: ['a.test.ts › test 1 (skipped)', 'a.test.ts › test 2 (todo)'],
    });
    expect(countPlaywright({ suites: journeys('expected', 'skipped', 'flaky'), errors: [] }, fine)).toEqual({
      passed: 1,
      skipped: 0,
      failed: ['a.spec.ts:7 › journey 1 (skipped)', 'a.spec.ts:7 › journey 2 (flaky)'],
    });
  });

  it('count long tests outside the sample apart', () => {
    const tags = ['long'];
    const left = file('passed', 'passed', 'skipped', 'failed');
    const vitest = { ...left, assertionResults: left.assertionResults.map((one) => ({ ...one, tags })) };
    expect(countVitest({ success: false, testResults: [vitest] }, bad)).toMatchObject({
      passed: 1,
      skipped: 1,
      failed: [expect.stringContaining('test 2 (failed)')],
    });
    const [suite] = journeys('expected', 'skipped', 'flaky');
    const specs = suite!.suites![0]!.specs.map((one) => ({ ...one, tags }));
    expect(countPlaywright({ suites: [{ specs }], errors: [] }, fine)).toEqual({
      passed: 1,
      skipped: 1,
      failed: ['a.spec.ts:7 › journey 2 (flaky)'],
    });
  });

  it('name each failed test with its reason', () => {
    const report = { success: false, testResults: [file('failed', 'passed', 'failed')] };
    expect(countVitest(report, bad)).toEqual({
      passed: 1,
      skipped: 0,
      failed: ['a.test.ts › test 1 (failed)\n    expected 1 to be 2\n    at a.test.ts:3'],
    });
    expect(countPlaywright({ suites: journeys('unexpected'), errors: [] }, bad)).toEqual({
      passed: 0,
      skipped: 0,
      failed: ['a.spec.ts:7 › journey 0 (unexpected)\n    no such button'],
    });
  });

  it('treat a file that fails to load as one failure', () => {
    const report = { success: false, testResults: [file('failed'), file('passed', 'passed')] };
    expect(countVitest(report, bad)).toEqual({
      passed: 1,
      skipped: 0,
      failed: ['a.test.ts (failed)\n    it could not be read'],
    });
  });

  it('treat a failed, crashed or empty run as one failure', () => {
    const failed = (runner: string, ...complaints: string[]) => [
      [`${runner} (no failed test, and no success)`, ...complaints].join('\n    '),
    ];
    const said = bad.output.trimEnd().split('\n');
    const report = { success: false, testResults: [file('passed', 'passed')] };
    expect(countVitest(report, bad)).toEqual({ passed: 1, skipped: 0, failed: failed('Vitest', ...said) });
    expect(countVitest({ success: true, testResults: [] }, fine)).toEqual({
      passed: 0,
      skipped: 0,
      failed: failed('Vitest'),
    });
    expect(countVitest(undefined, bad)).toEqual({ passed: 0, skipped: 0, failed: failed('Vitest', ...said) });
    expect(countPlaywright(undefined, fine)).toEqual({ passed: 0, skipped: 0, failed: failed('Playwright') });
    expect(countPlaywright({ suites: journeys('expected'), errors: [] }, bad)).toEqual({
      passed: 1,
      skipped: 0,
      failed: failed('Playwright', ...said),
    });
    expect(
      countPlaywright({ suites: journeys('expected'), errors: [{ message: 'a worker died' }] }, fine),
    ).toEqual({ passed: 1, skipped: 0, failed: ['Playwright (error)\n    a worker died'] });
  });
});

it('lists the slowest tests first, with their processor time where it was measured', () => {
  const { assertionResults, ...rest } = file('passed', 'passed', 'passed');
  const [quick, slow] = assertionResults as [(typeof assertionResults)[0], (typeof assertionResults)[0]];
  const timed = [
    { ...quick, duration: 900 },
    { ...slow, duration: 12_000, meta: { cpu: 4_300 } },
  ];
  const report = { success: true, testResults: [{ ...rest, assertionResults: timed }] };
  expect(slowestFirst(report).map(timeLine)).toEqual([
    '   12.0 s  a.test.ts › test 1 (4.3 s CPU)',
    '    0.9 s  a.test.ts › test 0',
  ]);
});
