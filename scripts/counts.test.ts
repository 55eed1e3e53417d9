import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest } from './counts.ts';

const file = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});
const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 0 };

describe('the counts on the last line', () => {
  it('take what was skipped or left to do for failed', () => {
    const report = { success: true, testResults: [file('passed', 'passed', 'skipped', 'todo', 'passed')] };
    expect(countVitest(report, true)).toEqual({ passed: 2, failed: 2 });
    expect(countPlaywright({ stats: { ...stats, skipped: 1, flaky: 1 }, errors: [] }, true)).toEqual({
      passed: 3,
      failed: 2,
    });
  });

  it('take a file that could not be loaded for one failure', () => {
    const report = { success: false, testResults: [file('failed'), file('passed', 'passed')] };
    expect(countVitest(report, false)).toEqual({ passed: 1, failed: 1 });
  });

  it('take a runner that failed, crashed, or found nothing for one failure', () => {
    const report = { success: false, testResults: [file('passed', 'passed')] };
    expect(countVitest(report, false)).toEqual({ passed: 1, failed: 1 });
    expect(countVitest({ success: true, testResults: [] }, true)).toEqual({ passed: 0, failed: 1 });
    expect(countVitest(undefined, false)).toEqual({ passed: 0, failed: 1 });
    expect(countPlaywright(undefined, true)).toEqual({ passed: 0, failed: 1 });
    expect(countPlaywright({ stats, errors: ['a worker died'] }, true)).toEqual({ passed: 3, failed: 1 });
    expect(countPlaywright({ stats, errors: [] }, false)).toEqual({ passed: 3, failed: 1 });
    expect(countPlaywright({ stats: { ...stats, unexpected: 2 }, errors: [] }, false)).toEqual({
      passed: 3,
      failed: 2,
    });
  });
});
