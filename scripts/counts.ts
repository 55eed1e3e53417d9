/** How many tests passed and failed; what didn't run has failed. */
export interface Counts {
  passed: number;
  failed: number;
}

/** What is read of Vitest's JSON report. */
export interface VitestReport {
  success: boolean;
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

/** What is read of Playwright's JSON report. */
export interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

/** Counts Vitest's tests; a file that could not be read to its end is one failure more. */
export function countVitest(report: VitestReport | undefined, ok: boolean): Counts {
  const counts: Counts = { passed: 0, failed: 0 };
  for (const file of report?.testResults ?? []) {
    const passed = file.assertionResults.filter(({ status }) => status === 'passed').length;
    counts.passed += passed;
    counts.failed += file.assertionResults.length - passed;
    // A hook or an import that failed shows in the file's state only.
    if (file.status !== 'passed' && passed === file.assertionResults.length) counts.failed += 1;
  }
  return withRunner(counts, ok && report?.success === true);
}

/** Counts Playwright's tests; one that passed at the second try only has failed. */
export function countPlaywright(report: PlaywrightReport | undefined, ok: boolean): Counts {
  if (!report) return withRunner({ passed: 0, failed: 0 }, ok);
  const { expected, unexpected, flaky, skipped } = report.stats;
  const counts = { passed: expected, failed: unexpected + flaky + skipped };
  return withRunner(counts, ok && report.errors.length === 0);
}

/** A runner that failed without a failed test, or found none at all, is itself a failure. */
function withRunner(counts: Counts, ok: boolean): Counts {
  const silent = counts.failed === 0 && (!ok || counts.passed === 0);
  return silent ? { ...counts, failed: 1 } : counts;
}
